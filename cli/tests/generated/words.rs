// Generated from words.json by `kiln gen`; edit that, not this.

/// Words
///
/// A list:
///
/// - one
///   goes on
/// - two
///
/// and <https://example.org/page>
#[allow(clippy::doc_markdown)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct Words {
    /// \[link\](<https://example.org/a_b>) and \[`Vec`\] and \[Vec\] and \[x\]: y
    /// \[x\]: <https://example.org>
    /// \[^1\] and \[^1\]: foot
    /// !\[image\](<http://x.y/z.png>)
    ///
    /// A list:
    ///
    /// - one
    ///   goes on
    /// - two
    ///
    /// and <https://example.org/page>
    ///
    /// Default: "A list:\\n\\n- one\\n  goes on\\n- two\\n\\nand <https://example.org/page>"
    ///
    /// Deprecated.
    pub p0: Option<bool>,
    /// snake_case camelCase PascalCase HTTPServer a::b \_\_init\_\_ \_x\_ \*bold\* \*\*bold\*\* \~\~strike\~\~ \| a \| b \|
    /// \|---\|---\|
    /// \| c \| d \|
    ///
    /// * one
    /// * two
    ///   indented
    ///
    /// code?
    ///
    /// 1. one
    /// 2. two
    ///    three
    /// 10) ten
    ///     goes
    /// - \- nested
    /// - 1\. nested
    ///   \-
    ///   \-
    /// + plus
    ///   \+plus
    ///   1\.5 is no list
    ///   \-5 neither
    ///
    /// Default: "\<b\>HTML\</b\> \<br/\> \<script\>alert(1)\</script\> \<!-- comment --\> a \< b \> c \&amp; \&lt; \&copy \&#65; A\&B \<h"
    pub p1: Option<bool>,
    /// trailing
    /// spaces
    ///
    /// many
    ///
    /// \# heading
    /// \## heading
    /// Title
    /// \=====
    /// Title
    /// \-----
    /// \---
    /// \*\*\*
    /// \_\_\_
    /// \===
    /// - \- -
    ///
    /// Default: "snake_case camelCase PascalCase HTTPServer a::b \_\_init\_\_ \_x\_ \*bold\* \*\*bold\*\* \~\~strike\~\~ \| a \| b \|\\n\|-"
    ///
    /// Deprecated.
    pub p2: Option<bool>,
    /// : colon
    /// term
    /// : definition
    ///
    /// \[link\](<https://example.org/a_b>) and \[`Vec`\] and \[Vec\] and \[x\]: y
    /// \[x\]: <https://example.org>
    /// \[^1\] and \[^1\]: foot
    /// !\[image\](<http://x.y/z.png>)
    ///
    /// Default: "\\n"
    pub p3: Option<bool>,
    /// text
    /// - a
    ///   text
    /// 2. b
    ///    text
    ///
    /// bare <http://example.org/a?b=c&d=e#f>, (<https://example.org/x_(y>)). x<https://example.org> https:// http://. <https://exa>\u{202e}mple.org <https://example.org/*a>\*
    ///
    /// Default: "\\u00e9 \\u540d\\u524d \\ud83d\\ude42 e\\u0301"
    ///
    /// Deprecated.
    pub p4: Option<bool>,
    /// A list:
    ///
    /// - one
    ///   goes on
    /// - two
    ///
    /// and <https://example.org/page>
    ///
    /// \<b\>HTML\</b\> \<br/\> \<script\>alert(1)\</script\> \<!-- comment --\> a \< b \> c \&amp; \&lt; \&copy \&#65; A\&B \<<https://example.org>\> \<x@example.org\>
    ///
    /// Default: "- \[ \] task\\n- \[x\] done"
    pub p5: Option<bool>,
    /// ```text
    /// print('x')
    ///
    ///     [Vec] <b> https://example.org \d+
    /// ```
    ///
    /// after
    ///
    /// `````text
    /// ````
    /// `````
    ///
    /// \`\`\`
    /// unclosed \[x\] \<y\>
    ///
    /// `code` and \`\`double\`` and ` and \`unclosed and \`\` \` \`` and `a\\b` and `x\` \`y\`\` z
    ///
    /// Default: "1. a\\n1) b\\n- c\\n\* d\\n+ e"
    ///
    /// Deprecated.
    pub p6: Option<bool>,
    /// ```text
    /// print('x')
    ///
    ///     [Vec] <b> https://example.org \d+
    /// ```
    ///
    /// after
    ///
    /// `````text
    /// ````
    /// `````
    ///
    /// \`\`\`
    /// unclosed \[x\] \<y\>
    ///
    /// Default: "`https://example.org`"
    pub p7: Option<bool>,
    /// !bang
    ///
    /// a    tab
    /// tab at the start
    /// - item    with tab
    ///
    /// ```text
    ///     code
    /// ```
    ///
    /// Default: "# heading\\n## heading\\nTitle\\n=====\\nTitle\\n-----\\n---\\n\*\*\*\\n\_\_\_\\n===\\n- - -"
    ///
    /// Deprecated.
    pub p8: Option<bool>,
    /// TODO FIXME XXX
    ///
    /// \*/ /\* // /// //! ! \\ \\\\ " ' "# r#"x"# {} {x} %s ${x} \0 \u{1b}\[31m \u{202e} \u{2028} \u{feff} \u{ad}
    ///
    /// Default: "\`\`\`python\\nprint('x')\\n\\n    \[Vec\] \<b\> <https://example.org> \\\\d+\\n\`\`\`\\nafter\\n\~\~\~\\n\`\`\`\`\\n\~\~\~\\n\`\`\`\\nunclosed \[x\] "
    pub p9: Option<bool>,
    /// `https://example.org`
    ///
    /// snake_case camelCase PascalCase HTTPServer a::b \_\_init\_\_ \_x\_ \*bold\* \*\*bold\*\* \~\~strike\~\~ \| a \| b \|
    /// \|---\|---\|
    /// \| c \| d \|
    ///
    /// Default: "long long long long long long long long long long long long long long long long long long long long "
    ///
    /// Deprecated.
    pub p10: Option<bool>,
    /// bare <http://example.org/a?b=c&d=e#f>, (<https://example.org/x_(y>)). x<https://example.org> https:// http://. <https://exa>\u{202e}mple.org <https://example.org/*a>\*
    ///
    /// xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    ///
    /// Default: "trailing  \\nspaces  \\n\\n\\n\\nmany"
    pub p11: Option<bool>,
    /// xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    ///
    /// long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long
    ///
    /// Default: "= equals"
    ///
    /// Deprecated.
    pub p12: Option<bool>,
    /// windows
    /// lines
    /// - x
    ///   y
    ///
    /// Default: "\\"quoted\\" \['x'\] \[\\"y\\"\] \['a'\]('b')"
    pub p13: Option<bool>,
    /// - \[ \] task
    /// - \[x\] done
    ///
    /// Default: "$math$ $$x$$ a^b^ H\~2\~O :smile: ==mark== ++ins++"
    ///
    /// Deprecated.
    pub p14: Option<bool>,
    /// $math$ $$x$$ a^b^ H\~2\~O :smile: ==mark== ++ins++
    ///
    /// Default: "123456789. a\\n1234567890. b\\n0. c\\n01. d"
    pub p15: Option<bool>,
    /// * one
    /// * two
    ///   indented
    ///
    /// code?
    ///
    /// 1. one
    /// 2. two
    ///    three
    /// 10) ten
    ///     goes
    /// - \- nested
    /// - 1\. nested
    ///   \-
    ///   \-
    /// + plus
    ///   \+plus
    ///   1\.5 is no list
    ///   \-5 neither
    ///
    /// Default: "bare <http://example.org/a?b=c&d=e#f>, (<https://example.org/x_(y>)). x<https://example.org> https:// http"
    ///
    /// Deprecated.
    pub p16: Option<bool>,
    /// a    tab
    /// tab at the start
    /// - item    with tab
    ///
    /// ```text
    ///     code
    /// ```
    ///
    /// trailing
    /// spaces
    ///
    /// many
    ///
    /// Default: "\*/ /\* // /// //! ! \\\\ \\\\\\\\ \\" ' \\"# r#\\"x\\"# {} {x} %s ${x} \\u0000 \\u001b\[31m \\u202e \\u2028 \\ufeff \\u00ad"
    pub p17: Option<bool>,
    /// windows
    /// lines
    /// - x
    ///   y
    ///
    /// Default: " "
    ///
    /// Deprecated.
    pub p18: Option<bool>,
    /// \= equals
    ///
    /// lone\rreturn
    ///
    /// Default: "lone\\rreturn"
    pub p19: Option<bool>,
    /// - a
    ///
    /// b
    ///
    /// c
    /// - d
    ///
    /// e
    /// f
    ///
    /// é 名前 🙂 e\u{301}
    ///
    /// Default: ": colon\\nterm\\n: definition"
    ///
    /// Deprecated.
    pub p20: Option<bool>,
    /// - x
    /// * y
    ///
    /// !bang
    ///
    /// Default: "- a\\n\\n  b\\n\\n      c\\n- d\\n\\ne\\n  f"
    pub p21: Option<bool>,
    /// \<b\>HTML\</b\> \<br/\> \<script\>alert(1)\</script\> \<!-- comment --\> a \< b \> c \&amp; \&lt; \&copy \&#65; A\&B \<<https://example.org>\> \<x@example.org\>
    ///
    /// \= equals
    ///
    /// Default: "<https://example.org/a>'b\\"c"
    ///
    /// Deprecated.
    pub p22: Option<bool>,
    /// long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long
    ///
    /// \> quote
    /// \> goes on
    /// lazy
    ///
    /// Default: "\* one\\n\* two\\n    indented\\n\\n    code?\\n\\n1. one\\n2. two\\nthree\\n10) ten\\n   goes\\n- - nested\\n- 1. nested\\n-\\n- "
    pub p23: Option<bool>,
    /// lone\rreturn
    ///
    /// : colon
    /// term
    /// : definition
    ///
    /// Default: "`code` and \`\`double\`` and ` and \`unclosed and \`\` \` \`` and `a\\\\b` and `x\` \`y\`\` z"
    ///
    /// Deprecated.
    pub p24: Option<bool>,
    /// JavaScript GitHub \`
    ///
    /// - \[ \] task
    /// - \[x\] done
    ///
    /// Default: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    pub p25: Option<bool>,
    /// a  b   c
    ///
    /// JavaScript GitHub \`
    ///
    /// Default: "\\n\\n\\n"
    ///
    /// Deprecated.
    pub p26: Option<bool>,
    /// \# heading
    /// \## heading
    /// Title
    /// \=====
    /// Title
    /// \-----
    /// \---
    /// \*\*\*
    /// \_\_\_
    /// \===
    /// - \- -
    ///
    /// "quoted" \['x'\] \["y"\] \['a'\]('b')
    ///
    /// Default: "!bang"
    pub p27: Option<bool>,
    /// \*/ /\* // /// //! ! \\ \\\\ " ' "# r#"x"# {} {x} %s ${x} \0 \u{1b}\[31m \u{202e} \u{2028} \u{feff} \u{ad}
    ///
    /// TODO FIXME XXX
    ///
    /// Default: "JavaScript GitHub \`"
    ///
    /// Deprecated.
    pub p28: Option<bool>,
    /// - a
    ///
    /// b
    ///
    /// c
    /// - d
    ///
    /// e
    /// f
    ///
    /// Default: "text\\n- a\\ntext\\n2. b\\ntext"
    pub p29: Option<bool>,
    /// \> quote
    /// \> goes on
    /// lazy
    ///
    /// 1. a
    /// 1) b
    /// - c
    /// * d
    /// + e
    ///
    /// Default: "-\\tx\\n\*\\ty"
    ///
    /// Deprecated.
    pub p30: Option<bool>,
    /// 1. a
    /// 1) b
    /// - c
    /// * d
    /// + e
    ///
    /// text
    /// - a
    ///   text
    /// 2. b
    ///    text
    ///
    /// Default: "\[link\](<https://example.org/a_b>) and \[`Vec`\] and \[Vec\] and \[x\]: y\\n\[x\]: <https://example.org>\\n\[^1\] and \["
    pub p31: Option<bool>,
    /// 123456789. a
    ///            1234567890\. b
    /// 0. c
    /// 01. d
    ///
    /// $math$ $$x$$ a^b^ H\~2\~O :smile: ==mark== ++ins++
    ///
    /// Default: "a\\ttab\\n\\ttab at the start\\n- item\\twith tab\\n\`\`\`\\n\\tcode\\n\`\`\`"
    ///
    /// Deprecated.
    pub p32: Option<bool>,
    /// `code` and \`\`double\`` and ` and \`unclosed and \`\` \` \`` and `a\\b` and `x\` \`y\`\` z
    ///
    /// a  b   c
    ///
    /// Default: ""
    pub p33: Option<bool>,
    /// <https://example.org/a>'b"c
    ///
    /// Default: "\\r\\nwindows\\r\\nlines\\r\\n- x\\r\\n  y\\r\\n"
    ///
    /// Deprecated.
    pub p34: Option<bool>,
    /// é 名前 🙂 e\u{301}
    ///
    /// `https://example.org`
    ///
    /// Default: "\> quote\\n\> goes on\\nlazy"
    pub p35: Option<bool>,
    /// "quoted" \['x'\] \["y"\] \['a'\]('b')
    ///
    /// - x
    /// * y
    ///
    /// Default: "TODO FIXME XXX"
    ///
    /// Deprecated.
    pub p36: Option<bool>,
    /// <https://example.org/a>'b"c
    ///
    /// 123456789. a
    ///            1234567890\. b
    /// 0. c
    /// 01. d
    ///
    /// Default: "a  b   c"
    pub p37: Option<bool>,
    /// A list:
    ///
    /// - one
    ///   goes on
    /// - two
    ///
    /// and <https://example.org/page>
    pub s0: Option<WordsS0>,
    /// `code` and \`\`double\`` and ` and \`unclosed and \`\` \` \`` and `a\\b` and `x\` \`y\`\` z
    pub s6: Option<WordsS6>,
    /// long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long
    pub s12: Option<WordsS12>,
    /// windows
    /// lines
    /// - x
    ///   y
    pub s18: Option<WordsS18>,
    /// : colon
    /// term
    /// : definition
    pub s24: Option<WordsS24>,
    /// 1. a
    /// 1) b
    /// - c
    /// * d
    /// + e
    pub s30: Option<WordsS30>,
    /// - x
    /// * y
    pub s36: Option<WordsS36>,
}

/// A list:
///
/// - one
///   goes on
/// - two
///
/// and <https://example.org/page>
#[allow(clippy::doc_markdown)]
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct WordsS0 {
    /// A list:
    ///
    /// - one
    ///   goes on
    /// - two
    ///
    /// and <https://example.org/page>
    pub a: Option<String>,
}

/// `code` and \`\`double\`` and ` and \`unclosed and \`\` \` \`` and `a\\b` and `x\` \`y\`\` z
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct WordsS6 {
    /// `code` and \`\`double\`` and ` and \`unclosed and \`\` \` \`` and `a\\b` and `x\` \`y\`\` z
    pub a: Option<String>,
}

/// long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct WordsS12 {
    /// long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long
    pub a: Option<String>,
}

/// windows
/// lines
/// - x
///   y
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct WordsS18 {
    /// windows
    /// lines
    /// - x
    ///   y
    pub a: Option<String>,
}

/// : colon
/// term
/// : definition
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct WordsS24 {
    /// : colon
    /// term
    /// : definition
    pub a: Option<String>,
}

/// 1. a
/// 1) b
/// - c
/// * d
/// + e
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct WordsS30 {
    /// 1. a
    /// 1) b
    /// - c
    /// * d
    /// + e
    pub a: Option<String>,
}

/// - x
/// * y
#[derive(Clone, Debug, PartialEq, kiln::Frozen)]
pub struct WordsS36 {
    /// - x
    /// * y
    pub a: Option<String>,
}
