"""The slow tests that a sample leaves out, a name a line; it differs from commit to commit.

usage: sample.py source build

For ctest --exclude-from-file. What sets something up for other tests is left out, too: CTest takes it where one of them
is taken.
"""

import hashlib
import json
import subprocess
import sys

ONE_OF = 4


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main(source, build):
    head = output_of("git", "-c", f"safe.directory={source}", "-C", source, "rev-parse", "HEAD")
    tests = json.loads(output_of("ctest", "--test-dir", build, "--show-only=json-v1"))["tests"]
    for test in tests:
        properties = {entry["name"]: entry["value"] for entry in test["properties"]}
        chance = int(hashlib.sha256((head + test["name"]).encode()).hexdigest(), 16) % ONE_OF
        if "slow" in properties.get("LABELS", []) and (chance or "FIXTURES_SETUP" in properties):
            print(test["name"])


if __name__ == "__main__":
    main(*sys.argv[1:])
