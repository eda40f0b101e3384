//! Listings in the markup of highlighters and site generators: the exact code and its language, nothing else.

use super::{check, markdown};
use webstrata::label::Preset;

/// The lines that most listings below contain.
const CODE: &str = "def f(x):\n    return x * 2\n\nprint(f(1))";

/// Generator, markup, language.
const MARKUP: &[(&str, &str, &str)] = &[
    ("plain", "<pre>def f(x):\n    return x * 2\n\nprint(f(1))\n</pre>", ""),
    (
        "Prism",
        "<pre class='line-numbers language-python' tabindex=0><code class='language-python'><span class='token keyword'>def</span> \
         <span class='token function'>f</span>(x):\n    <span class='token keyword'>return</span> x <span class='token operator'>*</span> 2\n\n\
         print(f(1))<span aria-hidden=true class=line-numbers-rows><span></span><span></span></span></code></pre>",
        "python",
    ),
    (
        "Prism toolbar",
        "<div class=code-toolbar><pre class=language-python><code class=language-python>def f(x):\n    return x * 2\n\nprint(f(1))</code></pre>\
         <div class=toolbar><div class=toolbar-item><span>Python</span></div><div class=toolbar-item><button>Copy</button></div></div></div>",
        "python",
    ),
    ("highlight.js", "<pre><code class='hljs python'>def f(x):\n    return x * 2\n\nprint(f(1))</code></pre>", "python"),
    (
        "highlight.js, other order",
        "<pre><code class='python hljs'>def f(x):\n    return x * 2\n\nprint(f(1))</code></pre>",
        "python",
    ),
    (
        "highlight.js line numbers",
        "<pre><code class='hljs language-python'><table class=hljs-ln><tbody>\
         <tr><td class='hljs-ln-line hljs-ln-numbers' data-line-number=1><div class=hljs-ln-n data-line-number=1></div></td>\
         <td class='hljs-ln-line hljs-ln-code' data-line-number=1><span class=hljs-keyword>def</span> <span>f</span>(x):</td></tr>\
         <tr><td class='hljs-ln-line hljs-ln-numbers' data-line-number=2><div class=hljs-ln-n data-line-number=2></div></td>\
         <td class='hljs-ln-line hljs-ln-code' data-line-number=2>    <span class=hljs-keyword>return</span> x * 2</td></tr>\
         <tr><td class='hljs-ln-line hljs-ln-numbers' data-line-number=3></td><td class='hljs-ln-line hljs-ln-code' data-line-number=3></td></tr>\
         <tr><td class='hljs-ln-line hljs-ln-numbers' data-line-number=4></td>\
         <td class='hljs-ln-line hljs-ln-code' data-line-number=4>print(f(1))</td></tr></tbody></table></code></pre>",
        "python",
    ),
    (
        "Sphinx",
        "<div class='highlight-python3 notranslate'><div class=highlight><pre><span></span><span class=k>def</span> <span class=nf>f</span>\
         <span class=p>(</span><span class=n>x</span><span class=p>):</span>\n    <span class=k>return</span> <span class=n>x</span> * 2\n\n\
         <span class=nb>print</span>(f(1))\n</pre></div></div>",
        "python",
    ),
    (
        "Sphinx without a language",
        "<div class='highlight-default notranslate'><div class=highlight><pre>def f(x):\n    return x * 2\n\nprint(f(1))\n</pre></div></div>",
        "",
    ),
    (
        "Shiki with notes",
        "<pre class='shiki lsp'><div class=language-id>py</div><div class=code-container><code><div class=line><data-lsp lsp='def f'>def</data-lsp> f(x):</div>\
         <div class=line>    return x * 2</div><div class=line></div><div class=line>print(f(1))</div></code><a class=playground-link href=/play>Try</a></div></pre>",
        "",
    ),
    (
        "Pygments table",
        "<div class=highlight-python><table class=highlighttable><tr><td class=linenos><div class=linenodiv><pre>1\n2\n3\n4</pre></div></td>\
         <td class=code><div class=highlight><pre>def f(x):\n    return x * 2\n\nprint(f(1))\n</pre></div></td></tr></table></div>",
        "python",
    ),
    (
        "Pygments inline numbers",
        "<div class='highlight-python notranslate'><div class=highlight><pre><span></span><span class=linenos>1</span><span class=k>def</span> f(x):\n\
         <span class=linenos>2</span>    return x * 2\n<span class=linenos>3</span>\n<span class=linenos>4</span>print(f(1))\n</pre></div></div>",
        "python",
    ),
    (
        "Rouge",
        "<div class='language-python highlighter-rouge'><div class=highlight><pre class=highlight><code><span class=k>def</span> f(x):\n\
         \u{20}   return x * 2\n\nprint(f(1))\n</code></pre></div></div>",
        "python",
    ),
    (
        "Rouge table",
        "<div class='language-python highlighter-rouge'><div class=highlight><pre class=highlight><code><table class=rouge-table><tbody><tr>\
         <td class='rouge-gutter gl'><pre class=lineno>1\n2\n3\n4\n</pre></td><td class=rouge-code><pre>def f(x):\n    return x * 2\n\nprint(f(1))\n\
         </pre></td></tr></tbody></table></code></pre></div></div>",
        "python",
    ),
    (
        "Jekyll",
        "<figure class=highlight><pre><code class=language-python data-lang=python><table class=rouge-table><tbody><tr><td class='gutter gl'>\
         <pre class=lineno>1\n2\n3\n4\n</pre></td><td class=code><pre>def f(x):\n    return x * 2\n\nprint(f(1))\n</pre></td></tr></tbody></table>\
         </code></pre></figure>",
        "python",
    ),
    (
        "Hexo",
        "<figure class='highlight python'><table><tr><td class=gutter><pre><span class=line>1</span><br><span class=line>2</span><br>\
         <span class=line>3</span><br><span class=line>4</span><br></pre></td><td class=code><pre><span class=line>def f(x):</span><br>\
         <span class=line>    return x * 2</span><br><span class=line></span><br><span class=line>print(f(1))</span><br></pre></td></tr></table></figure>",
        "python",
    ),
    (
        "Shiki",
        "<pre class='shiki github-light' data-language=python tabindex=0><code><span class=line><span style='color:#c00'>def</span> f(x):</span>\n\
         <span class=line>    return x * 2</span>\n<span class=line></span>\n<span class=line>print(f(1))</span></code></pre>",
        "python",
    ),
    (
        "GitHub readme",
        "<div class='highlight highlight-source-python notranslate' dir=auto><pre><span class=pl-k>def</span> f(x):\n    return x * 2\n\nprint(f(1))\
         </pre><div class=zeroclipboard-container><clipboard-copy class='ClipboardButton btn'><svg></svg></clipboard-copy></div></div>",
        "python",
    ),
    (
        "GitHub file",
        "<table class='highlight js-file-line-container' data-tab-size=8>\n<tr>\n  <td id=L1 class='blob-num js-line-number' data-line-number=1></td>\n\
         \u{20} <td id=LC1 class='blob-code blob-code-inner js-file-line'><span class=pl-k>def</span> <span class=pl-en>f</span>(x):</td>\n</tr>\n\
         <tr>\n  <td id=L2 class='blob-num js-line-number' data-line-number=2></td>\n\
         \u{20} <td id=LC2 class='blob-code blob-code-inner js-file-line'>    <span class=pl-k>return</span> <span>x</span> * 2</td>\n</tr>\n\
         <tr>\n  <td id=L3 class='blob-num js-line-number' data-line-number=3></td>\n\
         \u{20} <td id=LC3 class='blob-code blob-code-inner js-file-line'>\n</td>\n</tr>\n\
         <tr>\n  <td id=L4 class='blob-num js-line-number' data-line-number=4></td>\n\
         \u{20} <td id=LC4 class='blob-code blob-code-inner js-file-line'>print(f(1))</td>\n</tr>\n</table>",
        "",
    ),
    (
        "rustdoc",
        "<div class=example-wrap><pre class='rust rust-example-rendered'><code><span class=kw>let </span>x = <span class=number>1</span>;\n\
         <span class=macro>println!</span>(<span class=string>\"{x}\"</span>);</code></pre></div>",
        "rust",
    ),
    (
        "SyntaxHighlighter",
        "<div><div id=highlighter_7 class='syntaxhighlighter  python'><div class=toolbar><span><a href=#>?</a></span></div>\
         <table border=0 cellpadding=0><tbody><tr><td class=gutter><div class='line number1 index0 alt2'>1</div>\
         <div class='line number2 index1 alt1'>2</div><div class='line number3'>3</div><div class='line number4'>4</div></td><td class=code>\
         <div class=container><div class='line number1 index0 alt2'><code class='python keyword'>def</code> <code class='python plain'>f(x):</code></div>\
         <div class='line number2'><code class='python spaces'>&nbsp;&nbsp;&nbsp;&nbsp;</code><code class='python keyword'>return</code> \
         <code class='python plain'>x * </code><code class='python value'>2</code></div><div class='line number3'>&nbsp;</div>\
         <div class='line number4'><code class='python plain'>print(f(1))</code></div></div></td></tr></tbody></table></div></div>",
        "python",
    ),
    (
        "SyntaxHighlighter, not run",
        "<pre class='brush: python; gutter: false'>def f(x):\n    return x * 2\n\nprint(f(1))</pre>",
        "python",
    ),
    (
        "Crayon",
        "<div id=crayon-5 class='crayon-syntax crayon-theme-classic'><div class=crayon-toolbar><span class=crayon-title></span>\
         <div class=crayon-tools><span class=crayon-language>Python</span></div></div><div class=crayon-info></div>\
         <div class=crayon-plain-wrap><textarea class=crayon-plain>def f(x):</textarea></div><div class=crayon-main><table class=crayon-table>\
         <tr class=crayon-row><td class='crayon-nums' data-settings=show><div class=crayon-nums-content><div class=crayon-num>1</div>\
         <div class=crayon-num>2</div><div class=crayon-num>3</div><div class=crayon-num>4</div></div></td><td class=crayon-code><div class=crayon-pre>\
         <div class=crayon-line id=c1><span class=crayon-r>def</span><span class=crayon-h> </span><span class=crayon-e>f</span>(x):</div>\
         <div class=crayon-line id=c2><span class=crayon-h>    </span>return<span class=crayon-h> </span>x * 2</div>\
         <div class=crayon-line id=c3>&nbsp;</div><div class=crayon-line id=c4>print(f(1))</div></div></td></tr></table></div></div>",
        "",
    ),
    ("Crayon, not run", "<pre class='lang:python decode:true'>def f(x):\n    return x * 2\n\nprint(f(1))</pre>", "python"),
    (
        "Docusaurus",
        "<div class='language-python codeBlockContainer_a theme-code-block'><div class=codeBlockContent_b><pre tabindex=0 class='prism-code language-python'>\
         <code class=codeBlockLines_c><span class=token-line><span class='token plain'>def f(x):</span><br></span>\
         <span class=token-line>    return x * 2<br></span><span class=token-line><span style='display:inline-block'></span><br></span>\
         <span class=token-line>print(f(1))<br></span></code></pre><div class=buttonGroup_d><button aria-label=Copy>Copy</button></div></div></div>",
        "python",
    ),
    (
        "Pandoc",
        "<div class=sourceCode id=cb1><pre class='sourceCode python'><code class='sourceCode python'><span id=cb1-1><a href=#cb1-1 aria-hidden=true></a>\
         <span class=kw>def</span> f(x):</span>\n<span id=cb1-2>    <span class=cf>return</span> x * 2</span>\n<span id=cb1-3></span>\n\
         <span id=cb1-4>print(f(1))</span></code></pre></div>",
        "python",
    ),
    (
        "Org",
        "<div class=org-src-container><pre class='src src-python'>def f(x):\n    return x * 2\n\nprint(f(1))\n</pre></div>",
        "python",
    ),
    (
        "Enlighter",
        "<pre class=EnlighterJSRAW data-enlighter-language=python>def f(x):\n    return x * 2\n\nprint(f(1))</pre>",
        "python",
    ),
    (
        "MediaWiki",
        "<div class='mw-highlight mw-highlight-lang-python mw-content-ltr'><pre><span></span>def f(x):\n    return x * 2\n\nprint(f(1))\n</pre></div>",
        "python",
    ),
    (
        "doxygen",
        "<div class=fragment><div class=line><a id=l1 name=l1></a><span class=lineno>    1</span><span class=keyword>def</span> f(x):</div>\n\
         <div class=line><span class=lineno>    2</span>    <span class=keyword>return</span> x * 2</div>\n\
         <div class=line><span class=lineno>    3</span> </div>\n<div class=line><span class=lineno>    4</span>print(f(1))</div>\n</div>",
        "",
    ),
    (
        "Prettify",
        "<pre class='prettyprint lang-python linenums'><ol class=linenums><li class=L0><span class=kwd>def</span> f(x):</li>\
         <li class=L1>    return x * 2</li><li class=L2><br></li><li class=L3>print(f(1))</li></ol></pre>",
        "python",
    ),
    (
        "CSDN",
        "<pre class=prettyprint><code class='language-python has-numbering'>def f(x):\n    return x * 2\n\nprint(f(1))</code>\
         <ul class=pre-numbering><li>1</li><li>2</li><li>3</li><li>4</li></ul></pre>",
        "python",
    ),
    (
        "Confluence",
        "<div class='code panel pdl'><div class='codeContent panelContent pdl'><pre class=syntaxhighlighter-pre \
         data-syntaxhighlighter-params='brush: python; gutter: false; theme: Confluence'>def f(x):\n    return x * 2\n\nprint(f(1))</pre></div></div>",
        "python",
    ),
    (
        "Chroma table",
        "<div class=highlight><div class=chroma><table class=lntable><tr><td class=lntd><pre tabindex=0 class=chroma><code><span class=lnt>1\n</span>\
         <span class=lnt>2\n</span><span class=lnt>3\n</span><span class=lnt>4\n</span></code></pre></td><td class=lntd><pre tabindex=0 class=chroma>\
         <code class=language-python data-lang=python><span class=line><span class=cl>def f(x):\n</span></span><span class=line><span class=cl>    return x * 2\n\
         </span></span><span class=line><span class=cl>\n</span></span><span class=line><span class=cl>print(f(1))</span></span></code></pre></td></tr></table>\
         </div></div>",
        "python",
    ),
    (
        "Chroma",
        "<div class=highlight><pre class=chroma><code class=language-python data-lang=python><span class=line><span class=ln>1</span><span class=cl>def f(x):\n\
         </span></span><span class=line><span class=ln>2</span><span class=cl>    return x * 2\n</span></span><span class=line><span class=ln>3</span>\
         <span class=cl>\n</span></span><span class=line><span class=ln>4</span><span class=cl>print(f(1))</span></span></code></pre></div>",
        "python",
    ),
    (
        "a column of prompts",
        "<table class=highlight><tr><td class=gutter><pre>$\n$</pre></td><td class=code><pre>make all\nmake test</pre></td></tr></table>",
        "",
    ),
    (
        "columns without a table",
        "<div class=code-block><div class=gutter><pre>1\n2\n3\n4</pre></div><div class=code><pre><code class=language-python>def f(x):\n    return x * 2\n\n\
         print(f(1))</code></pre></div></div>",
        "python",
    ),
    (
        "a header with the language and a button",
        "<div class=code-block><div class=code-header><span class=lang>python</span><span class=copy-btn>Copy code</span></div>\
         <pre><code class=language-python>def f(x):\n    return x * 2\n\nprint(f(1))</code></pre></div>",
        "python",
    ),
    (
        "a block of code without pre",
        "<code style='display: block; white-space: pre'>def f(x):\n    return x * 2\n\nprint(f(1))</code>",
        "",
    ),
    ("line breaks", "<p><code>def f(x):<br>\n&nbsp;&nbsp;&nbsp;&nbsp;return x * 2<br>\n<br>\nprint(f(1))</code></p>", ""),
    ("a div per line", "<pre><div>def f(x):</div><div>    return x * 2</div><div><br></div><div>print(f(1))</div></pre>", ""),
    (
        "a div per line without pre",
        "<div class=code-block><div class=code-line>def f(x):</div>\n<div class=code-line>&nbsp;&nbsp;&nbsp;&nbsp;return <b>x</b> * 2</div>\n\
         <div class=code-line></div>\n<div class=code-line>print(f(1))</div></div>",
        "",
    ),
    (
        "gtk-doc",
        "<table class=listing_frame border=0><tbody><tr><td class=listing_lines align=right><pre>1\n2\n3\n4</pre></td>\
         <td class=listing_code><pre class=programlisting>def f(x):\n&nbsp;&nbsp;&nbsp;&nbsp;return x * 2\n\nprint(f(1))</pre></td></tr></tbody></table>",
        "",
    ),
    (
        "mdBook",
        "<pre class=playground><code class='language-python hljs'><span class=boring>import os\n</span>def f(x):\n    return x * 2\n\n\
         print(f(1))\n<span class=boring>os.exit()</span></code></pre>",
        "python",
    ),
    ("a table in pre", "<pre>def f(x):\n    return x * 2\n\n<table><tr><td>print<td>f</table></pre>", ""),
    ("the attribute lang", "<pre lang=python>def f(x):\n    return x * 2\n\nprint(f(1))</pre>", "python"),
];

#[test]
fn generators_and_highlighters() {
    let mut wrong = Vec::new();
    for (generator, html, language) in MARKUP {
        let code = match *generator {
            "rustdoc" => "let x = 1;\nprintln!(\"{x}\");",
            "a column of prompts" => "make all\nmake test",
            "a table in pre" => "def f(x):\n    return x * 2\n\nprint f",
            _ => CODE,
        };
        let html = format!("<p>Before it.</p>{html}<p>After it.</p>");
        let (got, want) = (markdown(&html), format!("Before it.\n\n```{language}\n{code}\n```\n\nAfter it.\n"));
        if got != want {
            wrong.push(format!("{generator}:\n{got}--- instead of\n{want}"));
        }
        check(html.as_bytes(), Preset::KeepEverything, true).unwrap_or_else(|e| wrong.push(format!("{generator}: {e}")));
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_not_a_listing_stays() {
    for (html, want) in [
        // Numbers in the first column do not make a table a listing.
        ("<table><tr><td>1<td>Rain<tr><td>2<td>Snow</table>", "| 1 | Rain |\n| --- | --- |\n| 2 | Snow |\n"),
        // Lines of a poem.
        ("<div class=line-block><div class=line>One</div><div class=line>two</div></div>", "One\n\ntwo\n"),
        ("<p><code>one</code> and <code>two</code>", "`one` and `two`\n"),
        // Prompts inside the code are part of it.
        ("<pre><span class=gp>$ </span>make\n<span class=go>done</span></pre>", "```\n$ make\ndone\n```\n"),
        // A caption stays.
        ("<figure class=highlight><figcaption>main.py</figcaption><pre>x = 1</pre></figure>", "main.py\n\n```\nx = 1\n```\n"),
        // Code is not escaped, and fences are longer than those inside.
        ("<pre>*a* &lt;b&gt; [c](d)\n```\n~~~</pre>", "````\n*a* <b> [c](d)\n```\n~~~\n````\n"),
        // A copy button outside code is for the selection to judge.
        ("<p>Rain <span class=copy>falls</span>", "Rain falls\n"),
        // A `pre` of numbers is data.
        ("<pre>1\n2\n3</pre>", "```\n1\n2\n3\n```\n"),
    ] {
        assert_eq!(markdown(html), want, "{html}");
    }
}

#[test]
fn pieces_of_inline_code_are_not_glued() {
    for (html, want) in [
        ("Use <code>get</code><code>put</code>.", "Use `get` `put`.\n"),
        ("Use <code>get</code> <code>put</code>.", "Use `get` `put`.\n"),
        ("Use <code><span>let</span> <span>x</span></code>.", "Use `let x`.\n"),
        ("<kbd>Ctrl</kbd>+<kbd>C</kbd>", "`Ctrl`+`C`\n"),
        ("<code>a</code><code>(b)</code>", "`a(b)`\n"),
    ] {
        assert_eq!(markdown(html), want, "{html}");
    }
}
