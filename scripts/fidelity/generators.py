"""Documentation generators: for each a Debian package, its files, the element with the content, and the parts of it that are not content.

Selectors are those of elements.select. `optional` are parts that an answer may include or omit, such as tables of contents. Packages
are pinned by version and checksum. `raw` means that formulas are written as TeX in the text. Half of the generators are for
development; failures on the others (`test`) must not be inspected.
"""

import collections

Generator = collections.namedtuple("Generator", "name package files area drop optional split raw", defaults=[False])

GENERATORS = [
    Generator(
        "apache", "apache2-doc", r"manual/en/.*\.html$",
        "#page-content", ".toplang,.bottomlang,.up,.top", "#quickview", "dev",
    ),
    Generator(
        "asciidoc", "git-doc", r"/git[a-z-]*\.html$",
        "#header,#content", "", "", "test",
    ),
    Generator(
        "boost", "libboost1.81-doc", r"/doc/html/.*\.html$",
        "body > div.section,body > div.chapter,body > div.refentry,body > div.article", ".spirit-nav", ".toc", "dev",
    ),
    Generator(
        "django", "python-django-doc", r"/(topics|ref|howto|intro)/.*\.html$",
        "#yui-main", ".nav,.headerlink", ".contents", "test",
    ),
    Generator(
        "docbook", "postgresql-doc-15", r"/html/.*\.html$",
        "body > div", ".navheader,.navfooter", ".toc", "dev",
    ),
    Generator(
        "doxygen", "libeigen3-doc", r"/html/.*\.html$",
        "div.headertitle,div.contents", ".summary,.ttc,.dynheader,.dyncontent", ".toc,.directory,.memberdecls", "test", True,
    ),
    Generator(
        "erlang", "erlang-doc", r"/doc/html/.*\.html$",
        "#content", ".footer,.ghlink", "", "dev",
    ),
    Generator(
        "gapdoc", "gap-doc", r"_mj\.html$",
        "body", ".chlinktop,.chlinkbot,.chlinkprevnexttop,.chlinkprevnextbot,#mathjaxlink,.pcenter,.foot,.ChapSects,.func", "", "test", True,
    ),
    Generator(
        "gidocgen", "libgtk-4-doc", r"/(class|struct|enum|iface|func|method)\.[^/]*\.html$|/gtk4/[a-z-]*\.html$",
        "#main", "#search,.emphasized,.srclink", "", "dev",
    ),
    Generator(
        "gtkdoc", "libglib2.0-doc", r"/gtk-doc/html/.*\.html$",
        "div.refentry,div.chapter", ".gallery_image", ".toc", "test",
    ),
    Generator(
        "haddock", "libghc-pandoc-doc", r"/Text-.*\.html$",
        "#content", "#module-header,a.link,.selflink", "#synopsis,#table-of-contents,div.arguments > table", "dev",
    ),
    Generator(
        "javadoc", "libcommons-lang3-java-doc", r"/lang3/[A-Za-z/]*\.html$",
        "main", ".sub-title,.inheritance", "", "test",
    ),
    Generator(
        "latex2html", "gnuplot-doc", r"/node[0-9]*\.html$",
        "body", ".navigation", ".ChildLinks", "dev",
    ),
    Generator(
        "lmfit", "python-lmfit-doc", r"/html/.*\.html$",
        "div.body", ".sphx-glr-footer,.sphx-glr-timing,.sphx-glr-signature,.sphx-glr-download-link-note", ".contents,.toctree-wrapper", "dev", True,
    ),
    Generator(
        "mdbook", "rust-doc", r"/html/(book|reference|nomicon|rust-by-example|embedded-book|edition-guide)/(?!.*(first-edition|second-edition|2018-edition|print\.html)).*\.html$",
        "main", ".boring,.buttons", "", "test",
    ),
    Generator(
        "mkdocs", "mkdocs-doc", r"/html/.*\.html$",
        "div[role=main]", "", "", "dev",
    ),
    Generator(
        "mkdocs-material", "freetype2-doc", r"/reference/.*\.html$",
        "article.md-content__inner", "", "", "test",
    ),
    Generator(
        "mpmath", "python-mpmath-doc", r"/html/.*\.html$",
        "div.body", "", ".toctree-wrapper", "test", True,
    ),
    Generator(
        "nim", "nim-doc", r"/html/.*\.html$",
        "h1.title,#content", ".theme-switch-wrapper,#global-links", ".simple.simple-toc", "dev",
    ),
    Generator(
        "nodejs", "nodejs-doc", r"/api/.*\.html$",
        "#apicontent", ".mark,.srclink,.js-flavor-selector,.copy-button", "", "test",
    ),
    Generator(
        "pydoctheme", "python3.11-doc", r"/html/(library|howto|tutorial|reference|c-api|faq|using|whatsnew)/.*\.html$",
        "div.body", "", ".contents,.toctree-wrapper", "dev",
    ),
    Generator(
        "qdoc", "qtbase5-doc-html", r"/doc/qt[a-z]*/.*(?<!-members)(?<!-obsolete)\.html$",
        "div.content", ".breadcrumb,.sidebar,.navigationbar", "", "test",
    ),
    Generator(
        "rdoc", "asciidoctor-doc", r"/html/.*\.html$",
        "main", ".method-click-advice", "", "dev",
    ),
    Generator(
        "rtd", "linux-doc-6.1", r"/html/.*\.html$",
        "div.document[role=main]", "", ".contents,.toctree-wrapper", "test",
    ),
    Generator(
        "rustdoc", "rust-doc", r"/html/(std|core|alloc)/.*\.html$",
        "#main-content", ".out-of-band,.toggle-wrapper,.srclink,.rightside,.hideme,#deref-methods,.notable-traits-tooltip,.tooltip,.test-arrow,.codeblock-hash", "", "dev",
    ),
    Generator(
        "scipy", "python-scipy-doc", r"/html/.*\.html$",
        "main", ".prev-next-area,.linkcode-link,.prev-next-bottom", ".toctree-wrapper", "test", True,
    ),
    Generator(
        "scribble", "racket-doc", r"/doc/racket/.*\.html$",
        "div.main", ".navsettop,.navsetbottom,.versionNoNav,.SAuthorListBox", "td > table", "dev",
    ),
    Generator(
        "sqlite", "sqlite3-doc", r"/sqlite3/[a-z0-9_]*\.html$",
        "body", ".nosearch,.fancy_toc,#toc_sub", "", "test",
    ),
    Generator(
        "sympy", "python-sympy-doc", r"/html/.*\.html$",
        "article", ".related-pages,.bottom-of-page", ".toctree-wrapper,.contents", "dev",
    ),
    Generator(
        "texinfo", "octave-doc", r"/octave\.html/(?!XREF|index)[A-Za-z0-9_-]*\.html$",
        "body", ".header", ".menu,.contents", "test",
    ),
]

# Version of each package and the SHA-256 of its file.
PACKAGES = {
    "apache2-doc": ("2.4.71-1~deb12u1", "a7b3d1131c1c63dbf9999b28e75f9a133d30f70492b419936bd51759ac77a01f"),
    "asciidoctor-doc": ("2.0.18-2", "48a6c165d74c42480939a17122d2082f86eae920b10a9b45946745f6d4cfa554"),
    "erlang-doc": ("1:25.2.3+dfsg-1+deb12u4", "7d172cecfdd9c2930b27c776ad226ffcc84670375cf830c79ee41c6944e8a1c8"),
    "freetype2-doc": ("2.12.1+dfsg-5+deb12u4", "a5970b7f8b8476b8f15a97afc2978ac50fcd039492ffd8eb8527749e34e6fee1"),
    "gap-doc": ("4.12.1-2", "ceaaee8ae7870d71353d7846ac39575a9a32f87b36928b8037139a54938bd7ab"),
    "git-doc": ("1:2.39.5-0+deb12u3", "3c89668a11053a6bafade3de1f611f4613db31e082af63f43d8c5b69ad8795ec"),
    "gnuplot-doc": ("5.4.4+dfsg1-2", "73fe1816a296594cf6a1d38528f8d740fd650f57a2cb62e029f7920fcd5b31f0"),
    "libboost1.81-doc": ("1.81.0-5+deb12u1", "da1e2182ea8955cf6155924066dd611588f855aebf961d0ea0e7ac0092216ebb"),
    "libcommons-lang3-java-doc": ("3.12.0-2+deb12u1", "d5e3456b97dbab73c7f6f39997ae108c515cc2a4182448a5c3e659ea3a5777a3"),
    "libeigen3-doc": ("3.4.0-4", "87fc424386cef92f58d0594936fa668d1b73d6e52232d2f99369e3e66aa5c0ff"),
    "libghc-pandoc-doc": ("2.17.1.1-2~deb12u1", "cfdd57b6a463187357891aa1a65daf142ef96fc4a7e484578c583bcc13b02ad5"),
    "libglib2.0-doc": ("2.74.6-2+deb12u9", "87a273d34af94a439764cf63fc81188f2527ae3280c29df58a907b33318eb8bc"),
    "libgtk-4-doc": ("4.8.3+ds-2+deb12u1", "24e092c566ad635e9b8f5e04a29b580b7c9b9a4d93026633fd4709b282c64788"),
    "linux-doc-6.1": ("6.1.190-1", "714b66157900e7131b722ff00ebb439be22270bd7dc8209aec3fdcb2af0a5ddb"),
    "mkdocs-doc": ("1.4.2+dfsg-2", "cc460d8a893ebc0aee62a1883693d833ff0b31af0475578299b90e0f793ee84f"),
    "nim-doc": ("1.6.10-2", "59c356cb6e0afaad0b4375f366648082e56533ccdee597532e0789328b653c61"),
    "nodejs-doc": ("18.20.4+dfsg-1~deb12u3", "d2fbd4f3aecccea9d901a03842ef8380379e0d33010a48af5e797ed68ae874ce"),
    "octave-doc": ("7.3.0-2", "b27897cc7e3d688daa5cb8f8d1ea47077f3fbd205ce32e22522200ff0c1eadd5"),
    "postgresql-doc-15": ("15.20-0+deb12u1", "4c44bf2c599f208b3f46454a6cf7a72e25ec46ff74d37b59dd31ad76b00eebb7"),
    "python-django-doc": ("3:3.2.25-0+deb12u7", "87307f067916df72e17180d35b7cde5c7ea6080336cda518efd7f6e66988a7ca"),
    "python-lmfit-doc": ("1.1.0-1", "c7ed21ecd1b3aedf5592bdf06b548e89a20c3432bde6539c1326917a874df6ff"),
    "python-mpmath-doc": ("1.2.1-2", "3895ea83b1edc71fae2a4be29522b9dd28daf6aad5293a2249d46742ffbbfeed"),
    "python-scipy-doc": ("1.10.1-2", "a237fdcef1675622f1a5d8a291c64feba140615130ee625554f94772d4ea3ad7"),
    "python-sympy-doc": ("1.11.1-1", "2a1d50bd49738f0280308fc8d86d5fa5739dbc6391e1c754f4549bc3635e6a31"),
    "python3.11-doc": ("3.11.2-6+deb12u9", "5b3594189d6ef9a6963ce0347fd307a1cc67620ad697e144db366070e2e146be"),
    "qtbase5-doc-html": ("5.15.8+dfsg-11+deb12u3", "e052497a7db970f002807e3543043c11e46135641b8284b0a419086ba64f5f47"),
    "racket-doc": ("8.7+dfsg1-1", "d50139b4bf806cd280bd18146ca2e7579cede5da23cc7f5c663044596af4e00f"),
    "rust-doc": ("1.63.0+dfsg1-2", "96ef96fe6df87d939ca713bd7df3d15c2b778ccb892eca025c4ee504146f697b"),
    "sqlite3-doc": ("3.40.1-2+deb12u2", "466e30d7066e2641fa13e56bc662a2ad521b8cc9c17dde9c9dac3d4f105e32f2"),
}
