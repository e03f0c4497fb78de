"""The context of a container image, with a folder for each processor: `docker build - < rread-container.tgz`."""

from contents import Entry, below, fill, packed, write_tgz


def make(platforms):
    entries = [Entry("Dockerfile", fill("Dockerfile", {}).encode())]
    for platform in platforms:
        program, *licences = packed(platform)
        # A stream that has to be kept goes into /tmp.
        files = [program, *below("licenses", licences), Entry("tmp/", b"", 0o1777), Entry("data/", b"", 0o755)]
        entries += below(platform.container, files)
    write_tgz("rread-container.tgz", entries)
