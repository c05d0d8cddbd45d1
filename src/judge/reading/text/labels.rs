//! What the words around a value say of it: one table of stems.

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// What a word says, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles(pub u16);

impl Roles {
    /// A path or an answer stands here.
    pub const ANSWER: Roles = Roles(1);
    /// Moves: an answer, or the unit of a length.
    pub const MOVES: Roles = Roles(2);
    /// The length of an answer.
    pub const LENGTH: Roles = Roles(4);
    /// How deep a search is: a length only where the goal was found.
    pub const DEPTH: Roles = Roles(8);
    /// A number of something else.
    pub const OTHER_COUNT: Roles = Roles(16);
    /// Not an answer: a hint, a scramble, an example, a trace.
    pub const NOT_ANSWER: Roles = Roles(32);
    /// The goal was reached.
    pub const SOLVED: Roles = Roles(64);
    /// No.
    pub const NO: Roles = Roles(128);
    /// There is no solution.
    pub const UNSOLVABLE: Roles = Roles(256);
    /// The name of an algorithm.
    pub const ALGORITHM: Roles = Roles(512);
    /// Something was given up or is not known yet.
    pub const UNDECIDED: Roles = Roles(1024);
    /// The path is listed from its end.
    pub const BACKWARD: Roles = Roles(2048);

    pub fn only(self, others: Roles) -> Roles {
        Roles(self.0 & others.0)
    }

    pub fn without(self, others: Roles) -> Roles {
        Roles(self.0 & !others.0)
    }

    pub fn has(self, other: Roles) -> bool {
        self.0 & other.0 != 0
    }
}

impl std::ops::BitOr for Roles {
    type Output = Roles;
    fn bitor(self, other: Roles) -> Roles {
        Roles(self.0 | other.0)
    }
}

/// Stems of words by their role. A stem that ends with `$` is a whole word.
const STEMS: [(Roles, &str); 12] = [
    (
        Roles::ANSWER,
        "path sol$ solution tiles$ answer result plan$ route sequence way$ instruction resolu soluc soluç \
         camin chemin réponse réponds lösung weg$ percors soluz решени ответ путь 解$ 解法 路径 答案 最短 解答 手順 해가 해를 해답 해는 풀 정답 giải solusi selesai diselesai rozwiąz řešen vyřeš розв çözüm çözül समाधान हल \
         oplossing lösning lösbar ratkaisu risolv cesta λύση حل",
    ),
    (
        Roles::MOVES,
        "move action direction step$ steps slide$ slides movement mouv turn$ turns movim paso pasos passo jogad coup étape zug$ züge schritt mosse \
         ход$ ходов ходы хода ходів шаг движени крок 步 移动 手$ 手で 이동 번$ 번의 hamle adım ruch$ ruch kroków kroki tah$ tahů tahy langkah \
         gerak bước चाल zet$ zetten stappen drag$ siirto passi$ خطو حرك",
    ),
    (
        Roles::LENGTH,
        "length len$ cost$ costs distance longitud longueur länge long$ costo coste coût custo kosten largo tamanho \
         tamaño длина стоимост 长度 長さ 长$ 步数 手数 手順数 횟수 共$ 总 jumlah liczba počet sayısı количеств кількіст anzahl طول",
    ),
    (
        Roles::DEPTH,
        "depth profund tiefe profond глубин 深度 level$",
    ),
    (
        Roles::OTHER_COUNT,
        "node nodes expan explor visit generat second sec$ secs ms$ time memory mb$ queue frontier fringe max maximum limit \
         iteration tried tries try$ heuristic score f$ h$ g$ state states bound left$ remaining inversion size seed board \
         boards line$ error nodo tempo tiempo temps zeit knoten nœud noeud 结点 节点 时间 parcia partial estimat \
         branching average threshold out$ lower upper trial attempt run$ runs test",
    ),
    (
        Roles::NOT_ANSWER,
        "scrambl shuffl hint expect correct$ example such$ test sample undo author trace pop$ popped popping dequeu tried trying try$ legal valid possible \
         available key keys usage wrong other instead expand expanding explor candidate known instructor \
         reference given current currently partial if$ think guess attempt initial publish heuristic manhattan \
         misplaced hamming estimate",
    ),
    (
        Roles::SOLVED,
        "solved solve$ solvable found success complete took done$ reached finish trouvé encontrad gefunden найдено 成功 找到 gelöst résolu \
         resuelto resolvido resolved решено risolto risolta résolu rozwiązan vyřešen diselesaikan çözüldü 解けま 解決 해결 opgelost goal true$",
    ),
    (
        Roles::NO,
        "no$ not$ cannot never none without kein keine pas$ aucun sin$ sem$ não ne$ нет не$ 未 无 没有 لم لا niet nicht geen ingen inte$ brak nie$ nelze neexist žádn nessun non$ không tidak yok bulunama нема नहीं 없 못 なし ない ません でき 無 不能 t$ fail",
    ),
    (
        Roles::UNSOLVABLE,
        "unsolv insolub irresol unlösbar unreachable impossib infeasib нереш 无解 imposib impossív нерозв неразреш nierozwiąz çözüleme 無解",
    ),
    (
        Roles::ALGORITHM,
        "bfs dfs ids$ iddfs dfid ida$ idastar dls ucs gbfs astar rbfs greedy dijkstra breadth search$ beam anneal climbing \
         bidirectional uniform deepening first$",
    ),
    (
        Roles::UNDECIDED,
        "within yet$ timeout timed limit threshold gave aborted checking check whether if$ unproven bound pruned \
         interrupted too$ shorter better other another sorry reliab",
    ),
    (Roles::BACKWARD, "back$ backward reverse backtrack from$"),
];

/// The words of a text: runs of letters, cut where small letters are followed by a capital one.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic() && !is_mark(c))
        .filter(|word| !word.is_empty())
        .flat_map(camel)
}

fn camel(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let mut before = rest.chars().next()?;
        let cut = rest.char_indices().skip(1).find(|&(_, c)| {
            let cut = before.is_lowercase() && c.is_uppercase();
            before = c;
            cut
        });
        let (word, after) = rest.split_at(cut.map_or(rest.len(), |(at, _)| at));
        rest = after;
        Some(word)
    })
}

/// A word in small letters.
pub fn lower(word: &str) -> Cow<'_, str> {
    match word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        true => Cow::Borrowed(word),
        false => Cow::Owned(word.to_lowercase()),
    }
}

/// What a word says.
pub fn role(word: &str) -> Roles {
    if word.len() > 60 {
        return Roles::default();
    }
    let word = lower(word);
    let Some(first) = word.chars().next() else {
        return Roles::default();
    };
    let matches = |stem: &Stem| match stem.whole {
        true => word == stem.text,
        false if is_chinese(first) => word.contains(stem.text),
        false => word.starts_with(stem.text),
    };
    let key = if is_chinese(first) { '中' } else { first };
    let said = BY_LETTER
        .get(&key)
        .into_iter()
        .flatten()
        .filter(|stem| matches(stem));
    said.fold(Roles::default(), |all, stem| all | stem.role)
}

struct Stem {
    text: &'static str,
    whole: bool,
    role: Roles,
}

/// The stems by their first letter; those in Chinese, where words are not apart, together.
static BY_LETTER: LazyLock<FxHashMap<char, Vec<Stem>>> = LazyLock::new(|| {
    let mut stems: FxHashMap<char, Vec<Stem>> = FxHashMap::default();
    for (role, list) in STEMS {
        for stem in list.split_whitespace() {
            let text = stem.trim_end_matches('$');
            let first = text.chars().next().unwrap_or(' ');
            let key = if is_chinese(first) { '中' } else { first };
            stems.entry(key).or_default().push(Stem {
                text,
                whole: text != stem,
                role,
            });
        }
    }
    stems
});

/// Whether a sign belongs to the letter before it.
pub fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e30}'..='\u{e4e}')
}

fn is_chinese(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{6ff}' | '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// What all words of a text say.
pub fn roles(text: &str) -> Roles {
    words(text)
        .map(role)
        .fold(Roles::default(), |all, role| all | role)
}
