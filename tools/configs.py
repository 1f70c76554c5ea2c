"""tools/configs.tsv, read: the kernels of the comparison."""
import os

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "configs.tsv")


def read():
    """A list of (name, boot line, description), in the file's order."""
    with open(PATH) as f:
        return [tuple(line.rstrip("\n").split("\t")) for line in f if line.strip() and not line.startswith("#")]
