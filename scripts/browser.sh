#!/bin/sh
# browser.sh PYTHON: make sure that there is a Chromium for the notebook tests, and that Playwright can drive it; or say
# why there is none.
set -u
python=$1

ready() {
    "$python" -m playwright --version >/dev/null 2>&1 || return 1
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" >/dev/null && return 0
    done
    return 1
}

ready && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing chromium for the notebook tests"
    # Playwright's driver needs libatomic1, which a small Debian lacks.
    apt-get update -q >/dev/null && apt-get install -q -y --no-install-recommends chromium libatomic1 >/dev/null
    ready && exit 0
fi
"$python" -m playwright install chromium && exit 0
echo "no Chromium, and none could be installed: the tests in a real browser will be skipped" >&2
