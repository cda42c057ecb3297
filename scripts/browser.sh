#!/bin/sh
# browser.sh PYTHON: make sure that there is a Chromium for the notebook tests, or say why there is none.
set -u
python=$1

for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing chromium for the notebook tests"
    apt-get update -q >/dev/null && apt-get install -q -y --no-install-recommends chromium >/dev/null && exit 0
fi
"$python" -m playwright install chromium && exit 0
echo "no Chromium, and none could be installed: the tests in a real browser will be skipped" >&2
