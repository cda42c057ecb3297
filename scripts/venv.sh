#!/bin/sh
# venv.sh PYTHON DIRECTORY: a virtual environment with a current pip, made if it is not there.
set -eu
python=$1 directory=$2

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "toolstub needs Python 3.11 or newer, and $python is not; try: make PYTHON=python3.13 ..." >&2
    exit 1
fi
[ -x "$directory/bin/pip" ] && exit 0

if ! "$python" -c 'import ensurepip' 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -q && apt-get install -q -y python3-venv
    else
        echo "$python has no venv module; on Debian and Ubuntu: sudo apt install python3-venv" >&2
        exit 1
    fi
fi
"$python" -m venv --clear "$directory"
# --group (PEP 735) needs pip 25.1
"$directory/bin/python" -m pip install -q --upgrade 'pip>=25.1'
