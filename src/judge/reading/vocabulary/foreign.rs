//! English for the words of other languages that stand around an answer.

use std::sync::LazyLock;

use super::by_letter::ByLetter;

/// Words in small letters and their English ones.
#[rustfmt::skip]
const ENGLISH: [(&str, &str); 92] = [
    ("anzahl", "number"), ("après", "after"), ("avec", "with"), ("bewegungen", "moves"),
    ("caminho", "path"), ("camino", "path"), ("chemin", "path"), ("com", "with"),
    ("comprimento", "length"), ("con", "with"), ("costo", "cost"), ("coups", "moves"),
    ("coût", "cost"), ("custo", "cost"), ("da", "of"), ("das", "the"), ("de", "of"),
    ("del", "of"), ("der", "the"), ("die", "the"), ("do", "of"), ("du", "of"), ("em", "in"),
    ("en", "in"), ("encontrada", "found"), ("encontrado", "found"), ("gefunden", "found"),
    ("gelöst", "solved"), ("knoten", "nodes"), ("kosten", "cost"), ("la", "the"), ("le", "the"),
    ("longitud", "length"), ("longueur", "length"), ("lunghezza", "length"), ("länge", "length"),
    ("lösung", "solution"), ("lösungsweg", "path"), ("mosse", "moves"), ("mouvements", "moves"),
    ("movimenti", "moves"), ("movimentos", "moves"), ("movimientos", "moves"), ("nodi", "nodes"),
    ("nodos", "nodes"), ("noeuds", "nodes"), ("nombre", "number"), ("numero", "number"),
    ("nós", "nodes"), ("número", "number"), ("nœuds", "nodes"), ("para", "for"),
    ("pasos", "steps"), ("passi", "steps"), ("passos", "steps"), ("percorso", "path"),
    ("pfad", "path"), ("pour", "for"), ("profondeur", "depth"), ("profondità", "depth"),
    ("profundidad", "depth"), ("profundidade", "depth"), ("resolvido", "solved"),
    ("resuelto", "solved"), ("risolto", "solved"), ("résolu", "solved"), ("schritte", "steps"),
    ("schritten", "steps"), ("solucao", "solution"), ("solucion", "solution"),
    ("solución", "solution"), ("soluzione", "solution"), ("solução", "solution"),
    ("tamanho", "length"), ("tiefe", "depth"), ("trouvé", "found"), ("trouvée", "found"),
    ("von", "of"), ("weg", "path"), ("zug", "move"), ("züge", "moves"), ("zügen", "moves"),
    ("étapes", "steps"), ("решение", "solution"), ("ходов", "moves"), ("шагов", "steps"),
    ("总共", "total"), ("总步数", "steps"), ("步", "steps"), ("步数", "steps"), ("移动次数", "moves"),
    ("路径长度", "length"),
];

/// The English word for one in any case; itself if it is none of those known.
pub(super) fn english(word: &str) -> &str {
    static KNOWN: LazyLock<ByLetter<(&str, &str)>> =
        LazyLock::new(|| ByLetter::new(&ENGLISH, |&(foreign, _)| foreign));
    let lower = (!word.is_ascii()).then(|| word.to_lowercase());
    let known = KNOWN.find(lower.as_deref().unwrap_or(word), |&(foreign, _)| foreign);
    known.map_or(word, |&(_, english)| english)
}
