//! The words that the reader knows, in one table.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::puzzle::Move;

/// What a word means beside a value, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::judge) struct Sense(u32);

impl Sense {
    /// An answer stands here: a path, or the statement that there is none.
    pub const ANSWER: Sense = Sense(1);
    /// Moves: an answer, or the unit of a length.
    pub const MOVES: Sense = Sense(2);
    /// The length of an answer.
    pub const LENGTH: Sense = Sense(4);
    /// Depth of a search: a length only where the goal was found.
    pub const DEPTH: Sense = Sense(8);
    /// Something else that is counted.
    pub const COUNT: Sense = Sense(16);
    /// Not an answer: a hint, a scramble, an example.
    pub const OTHER: Sense = Sense(32);
    /// The goal was reached.
    pub const SOLVED: Sense = Sense(64);
    /// No.
    pub const NO: Sense = Sense(128);
    /// There is no solution.
    pub const UNSOLVABLE: Sense = Sense(256);
    /// The name of an algorithm.
    pub const ALGORITHM: Sense = Sense(512);
    /// A limit, or a doubt.
    pub const LIMIT: Sense = Sense(1024);
    /// The search was given up.
    pub const GAVE_UP: Sense = Sense(2048);
    /// A step of a search, whose boards are not those of an answer.
    pub const TRACE: Sense = Sense(4096);
    /// Stands beside steps without being one.
    pub const FILLER: Sense = Sense(8192);
    /// The sign of the blank.
    pub const BLANK: Sense = Sense(16384);
    /// Is: what stands behind it is the value of what stands before.
    pub const IS: Sense = Sense(32768);

    /// Has no part in a step.
    pub const KNOWN: Sense = Sense(65536);
    /// Compares a solution with another.
    pub const COMPARING: Sense = Sense(131_072);
    /// One of the two ends of a path, which is no step.
    pub const END: Sense = Sense(262_144);

    /// Returns whether something else than these is meant.
    pub const fn has_other(self, than: Sense) -> bool {
        self.0 & !than.0 != 0
    }

    /// Returns whether one of these is meant.
    pub const fn has(self, other: Sense) -> bool {
        self.0 & other.0 != 0
    }
}

impl std::ops::BitOr for Sense {
    type Output = Sense;
    fn bitor(self, other: Sense) -> Sense {
        Sense(self.0 | other.0)
    }
}

/// Words for up, down, left and right, a language a line.
#[rustfmt::skip]
const DIRECTIONS: [[&str; 4]; 10] = [
    ["u up upward upwards north", "d down downward downwards south", "l left leftward leftwards west", "r right rightward rightwards east"],
    ["↑ ⬆ ▲ ⇧ 🔼", "↓ ⬇ ▼ ⇩ 🔽", "← ⬅ ◀ ⇦", "➡ ▶ ⇨"],
    ["oben hoch", "unten runter", "links", "rechts"],
    ["haut", "bas", "gauche", "droite"],
    ["arriba", "abajo", "izquierda", "derecha"],
    ["cima acima", "baixo", "esquerda", "direita"],
    ["su sopra", "giù sotto", "sinistra", "destra"],
    ["вверх", "вниз", "влево", "вправо"],
    ["nahoru hore", "dolů dole", "doleva vlavo", "doprava vpravo"],
    ["上", "下", "左", "右"],
];

/// Words by their sense.
#[rustfmt::skip]
const WORDS: [(Sense, &str); 19] = [
    (Sense::ANSWER, "solution solutions path paths sol answer answers result results corrected final got output route plan sequence tiles instructions \
        lösung weg chemin solución solucion camino caminho solução solucao soluzione percorso решение решения ответ путь řešení 解 径 答 路"),
    (Sense::MOVES, "move moves action actions step steps slide slides turns movements directions zug züge zügen schritt schritte schritten coups étapes \
        mouvements movimiento movimientos paso pasos movimento movimentos passos jogadas mosse passi ход ходы ходов хода шаг шагов шага tahů 步 手"),
    (Sense::LENGTH, "length len cost costs länge kosten longueur coût longitud costo coste custo comprimento tamanho lunghezza длина стоимость 长 長 数 共"),
    (Sense::DEPTH, "depth level tiefe profondeur profundidad profundidade глубина"),
    (Sense::COUNT, "node nodes explored visited generated expansion expansions second seconds sec secs ms s time memory ram mb kb gb queue frontier fringe max \
        maximum limit iteration iterations tried tries heuristic score states state bound inversions seed boards threshold lower upper or out more than \
        least most average nodos tiempo nœuds temps zeit knoten nós tempo nodi узлов время 节 点 结 h g f line"),
    (Sense::OTHER, "hint scramble scrambled scrambling shuffle shuffled expected expects example such undo author legal valid possible available allowed next last \
        usage candidate candidates reference published explored tried trying try if wrong invalid earlier instead guess quote sanity from back test case \
        correct estimate estimated"),
    (Sense::SOLVED, "solved solve solvable found reached reach success successful finished done complete exist exists already unsolved way fertig gefunden gelöst \
        lösbar trouvée trouvé résolu resuelto encontrada encontrado encontró resolvido solucionable encontrou risolto risolvibile trovata решено решена \
        найдено найден vyřešeno 到 成功 求 解"),
    (Sense::NO, "no not cannot can't un't won't don't doesn't isn't couldn't never none null nil nan nothing false impossible without unable n/a inf infinity \
        kein keine nicht pas aucune aucun sin ninguna não nao sem non nessuna нет не nelze neexistuje 无 無 未 没 不"),
    (Sense::UNSOLVABLE, "unsolvable unsolveable insolvable insoluble unreachable infeasible irresoluble unlösbar insolúvel irrisolvibile неразрешима нерешаема 无解"),
    (Sense::ALGORITHM, "bfs dfs ids iddfs dfid ida idastar dls ucs gbfs astar rbfs greedy dijkstra breadth beam bidirectional uniform deepening manhattan hamming misplaced"),
    (Sense::LIMIT, "limit limits depth nodes node time memory recursion within threshold yet could if whether check checking checked iteration stuck climbing local \
        overflow stack bounds index panic reliably lookup sh command file module import permission usage 时"),
    (Sense::GAVE_UP, "exceeded timeout timed aborted interrupted gave terminated exhausted killed cancelled crashed 超时"),
    (Sense::TRACE, "expand expanding expanded expansion pop popped push visit visited visiting explore exploring explored child children queue open closed \
        frontier node nodes trying neighbor neighbors neighbour generated dequeued current iteration"),
    (Sense::FILLER, "move moves moved moving slide slides sliding shift step tile tiles blank empty space spot hole cell square piece the to then and action actions it \
        direction dir in with swap just some ok name into by of array list option total zero text texttt boxed rightarrow mathrm \
        stein leerfeld nach pieza ficha vers le la hacia mover paso déplacer 向"),
    (Sense::BLANK, "blank empty none null nil nan space gap hole undefined square e b m x o"),
    (Sense::KNOWN, "initial start goal end board puzzle search searching solving metric value info started loaded bye"),
    (Sense::COMPARING, "optimal better shorter shortest minimal other"),
    (Sense::END, "start goal none null end finish root"),
    (Sense::IS, "of is are be was has takes requires needs"),
];

/// Senses and directions by word.
static KNOWN: LazyLock<FxHashMap<&str, (Sense, Option<Move>)>> = LazyLock::new(|| {
    let mut known: FxHashMap<&str, (Sense, Option<Move>)> = FxHashMap::default();
    for (sense, words) in WORDS {
        for word in words.split_whitespace() {
            let known = known.entry(word).or_default();
            known.0 = known.0 | sense;
        }
    }
    for (words, mv) in DIRECTIONS.iter().flat_map(|row| row.iter().zip(Move::ALL)) {
        for word in words.split_whitespace() {
            known.entry(word).or_default().1 = Some(mv);
        }
    }
    known
});

/// What a word means: its sense, and the direction that it names.
pub(in crate::judge) fn meaning(word: &str) -> (Sense, Option<Move>) {
    let entry = KNOWN.get(word);
    let entry = entry.or_else(|| KNOWN.get(word.to_lowercase().as_str()));
    entry.copied().unwrap_or_default()
}
