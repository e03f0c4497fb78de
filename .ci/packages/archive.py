"""One folder with the program, the documents and the licences: `.tgz`, or `.zip` for Windows."""

from contents import below, documents, licence_files, program, write_tgz, write_zip


def make(platform):
    entries = below(platform.folder, [program(platform, platform.program), *licence_files(platform), *documents()])
    (write_zip if platform.archive.endswith(".zip") else write_tgz)(platform.archive, entries)
