#!/usr/bin/env python3
"""Reads .pzdb files and solves boards with them; written from the description in src/table/format.rs alone.

    python3 tests/read_pzdb.py FILE BOARD...     prints each board's distance and moves of the blank
    python3 tests/read_pzdb.py --all FILE...     compares every distance with a breadth-first search of its own

Python's standard library only. Boards are digits row by row (letters from 10 on), the goal is the
one with the tiles in reading order and the blank in the last cell.
"""

import struct
import sys
import zlib
from math import factorial

PAGE = 4096
CHUNK = 16384
MOVES = "UDLR"


class Table:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = data = file.read()
        assert data[:8] == b"\x89PZDB\r\n\x1a", "magic"
        version, length = struct.unpack_from("<II", data, 8)
        assert version in (1, 2), f"version {version}"
        assert zlib.crc32(data[:4092]) == struct.unpack_from("<I", data, 4092)[0], "header checksum"
        self.rows, self.columns, metric, self.goal_cell, self.encoding = data[16:21]
        assert metric == 1, f"metric {metric}"
        (levels,) = struct.unpack_from("<Q", data, 21)
        self.levels = struct.unpack_from(f"<{levels}Q", data, 29)
        at = 29 + 8 * levels
        (sections,) = struct.unpack_from("<Q", data, at)
        at += 8
        self.sections = {}
        sums = b""
        end = PAGE
        for _ in range(sections):
            kind, offset, size, checksum = struct.unpack_from("<BQQI", data, at)
            at += 21
            assert offset == -(-end // PAGE) * PAGE, "section offset"
            section = data[offset : offset + size]
            if version == 1 or kind == 6:
                assert zlib.crc32(section) == checksum, f"checksum of section {kind}"
            else:
                assert checksum == 0, f"section {kind} has two checksums"
                chunks = (section[i : i + CHUNK] for i in range(0, size, CHUNK))
                sums += b"".join(struct.pack("<I", zlib.crc32(chunk)) for chunk in chunks)
            assert kind != 6 or section == sums, "checksums of the chunks"
            self.sections[kind] = (offset, size)
            end = offset + size
        assert version == 1 or kind == 6, "the last section has the checksums"
        assert at == 16 + length, "header length"
        assert end == len(data), "file length"
        self.cells = self.rows * self.columns
        self.orders = factorial(self.cells - 1) // 2
        self.width = max(1, (levels - 1).bit_length())

    def field(self, kind, index, width):
        offset, _ = self.sections[kind]
        first = index * width
        start = offset + first // 8
        word = int.from_bytes(self.data[start : start + 4], "little")
        return word >> first % 8 & (1 << width) - 1

    def index(self, board):
        """The number of a board whose goal has its tiles in reading order."""
        order = [tile for tile in board if tile]
        rank = 0
        for i, tile in enumerate(order):
            smaller = sum(later < tile for later in order[i + 1 :])
            rank += smaller * factorial(len(order) - 1 - i)
        return board.index(0) * self.orders + rank // 2

    def neighbours(self, board):
        blank = board.index(0)
        row, column = divmod(blank, self.columns)
        for move, (down, right) in zip(MOVES, [(-1, 0), (1, 0), (0, -1), (0, 1)]):
            if 0 <= row + down < self.rows and 0 <= column + right < self.columns:
                cell = blank + down * self.columns + right
                after = list(board)
                after[blank], after[cell] = after[cell], 0
                yield move, tuple(after)

    def goal(self):
        tiles = iter(range(1, self.cells))
        return tuple(0 if cell == self.goal_cell else next(tiles) for cell in range(self.cells))

    def solve(self, board):
        """The moves of a shortest solution."""
        moves = ""
        if self.encoding == 1:
            # The parent moves, and the distance as a check of their number.
            distance = self.field(1, self.index(board), self.width)
            while board != self.goal():
                move = MOVES[self.field(2, self.index(board), 2)]
                board = dict(self.neighbours(board))[move]
                moves += move
            assert len(moves) == distance, "the parent moves do not have the distance's number"
            return moves
        # Bit 1 of the distance, and bit 0 from the blank's colour on the chequerboard.
        colour = lambda cell: (cell // self.columns + cell % self.columns) & 1
        modulo_4 = lambda b: self.field(3, self.index(b), 1) << 1 | colour(b.index(0)) ^ colour(self.goal_cell)
        while board != self.goal():
            closer = (modulo_4(board) - 1) % 4
            move, board = next(step for step in self.neighbours(board) if modulo_4(step[1]) == closer)
            moves += move
        return moves


def compare_all(path):
    """Compares the file with a breadth-first search over boards in a dictionary."""
    table = Table(path)
    level = [table.goal()]
    distances = {level[0]: 0}
    counts = []
    while level:
        counts.append(len(level))
        following = []
        for board in level:
            for _, neighbour in table.neighbours(board):
                if neighbour not in distances:
                    distances[neighbour] = len(counts)
                    following.append(neighbour)
        level = following
    assert tuple(counts) == table.levels, "states of each level"
    for board, distance in distances.items():
        if table.encoding == 1:
            index = table.index(board)
            assert table.field(1, index, table.width) == distance, board
            if distance:
                parent = dict(table.neighbours(board))[MOVES[table.field(2, index, 2)]]
                assert distances[parent] == distance - 1, board
        else:
            assert table.field(3, table.index(board), 1) == distance >> 1 & 1, board
    for board in sorted(distances)[:: max(1, len(distances) // 50)]:
        assert len(table.solve(board)) == distances[board], board
    print(f"{path}: {len(distances)} distances, {len(counts) - 1} the largest")


def main(arguments):
    if arguments[:1] == ["--all"]:
        for path in arguments[1:]:
            compare_all(path)
        return
    table = Table(arguments[0])
    for text in arguments[1:]:
        board = tuple(int(tile, 36) for tile in text)
        moves = table.solve(board)
        print(text, len(moves), moves, sep="\t")


if __name__ == "__main__":
    main(sys.argv[1:])
