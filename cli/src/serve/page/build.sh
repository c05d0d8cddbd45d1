#!/usr/bin/env bash
# Bundles the scripts and the style sheet of the page, compresses them, and records the digest of what they were made of.
# Types are checked by `tsc`, which the bundler leaves out.
#
#   build.sh           replaces the bundles, by esbuild from npm, and their forms in gzip and Brotli, by Node.js
#   build.sh --digest  fails if their sources have changed since
#   build.sh --check   the same; where npm is, bundles again and compares
set -euo pipefail
cd "$(dirname "$0")"
esbuild=esbuild@0.28.2
made_of=bundle/made-of.txt

digest() {
    git ls-files -- '*.ts' '*.js' '*.css' '*.woff2' tsconfig.json build.sh | grep -v -e '^bundle/' -e '^sw.js$' | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -d' ' -f1
}
bundle() {
    npm exec --yes --package="$esbuild" -- esbuild main.ts --bundle --minify --format=esm --target=es2022 '--external:node:*' \
        --log-level=warning --outfile="$1/page.js"
    npm exec --yes --package="$esbuild" -- esbuild style.css --bundle --minify --loader:.woff2=dataurl --log-level=warning --outfile="$1/page.css"
}
# Compresses the files, or with "check" fails unless they unpack to what they were.
compress() {
    node -e 'const { readFileSync, writeFileSync } = require("fs"), zlib = require("zlib");
        for (const plain of ["bundle/page.js", "bundle/page.css", "puzzledb.js"]) {
            const bytes = readFileSync(plain), packed = `bundle/${plain.replace("bundle/", "")}`;
            if (process.argv[1] !== "check") {
                writeFileSync(`${packed}.gz`, zlib.gzipSync(bytes, { level: 9 }));
                writeFileSync(`${packed}.br`, zlib.brotliCompressSync(bytes));
            }
            const unpacked = [zlib.gunzipSync(readFileSync(`${packed}.gz`)), zlib.brotliDecompressSync(readFileSync(`${packed}.br`))];
            if (!unpacked.every((one) => one.equals(bytes))) throw new Error(`${packed} is not compressed as it is`);
        }' "${1-}"
}

if [[ ${1-} == --check || ${1-} == --digest ]]; then
    if [[ "sources $(digest)" != "$(cat "$made_of")" ]]; then
        echo "the page's bundles are older than their sources: run cli/src/serve/page/build.sh" >&2
        exit 1
    fi
    if [[ $1 == --digest ]]; then
        exit
    fi
    again=$(mktemp -d)
    trap 'rm -r "$again"' EXIT
    if command -v npm >/dev/null && bundle "$again"; then
        cmp bundle/page.js "$again/page.js"
        cmp bundle/page.css "$again/page.css"
        compress check
    else
        echo "esbuild cannot be run here: the digest of the bundles alone is compared" >&2
    fi
else
    bundle bundle
    compress
    echo "sources $(digest)" >"$made_of"
    ls -l bundle
fi
