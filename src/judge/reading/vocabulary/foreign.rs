//! English for the words of other languages that stand around an answer.

/// Words in small letters and their English ones, in the order of the words' bytes.
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
    // The usual case, fast: letters of one byte.
    let small = || word.bytes().map(|byte| byte.to_ascii_lowercase());
    let lower = (!word.is_ascii()).then(|| word.to_lowercase());
    let place = match &lower {
        None => ENGLISH.binary_search_by(|(foreign, _)| foreign.bytes().cmp(small())),
        Some(lower) => ENGLISH.binary_search_by(|(foreign, _)| (*foreign).cmp(lower)),
    };
    place.map_or(word, |at| ENGLISH[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_in_their_order() {
        assert!(ENGLISH.is_sorted_by(|a, b| a.0 < b.0));
    }
}
