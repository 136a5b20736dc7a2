import type { LeftOutKind } from "#admin/ui/rich-text/clean-paste.ts";

type Pasted = {
  readonly from: string;
  readonly html: string;
  readonly clean: string;
  readonly left: readonly LeftOutKind[];
};

const item = (level: number, sign: string, text: string) =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:${level}.0cm;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span lang=EN-AU style='font-family:Symbol'><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><span lang=EN-AU>${text}<o:p></o:p></span></p>`;

/** What programs put on the clipboard, and the HTML that must result. */
export const pasteCorpus: readonly Pasted[] = [
  {
    from: "Word: heading, paragraph, empty paragraph",
    html: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 15"><!--[if gte mso 9]><xml><w:WordDocument></w:WordDocument></xml><![endif]--><style><!-- p.MsoNormal {font-size:11.0pt} --></style></head><body lang=EN-AU><!--StartFragment--><h1><span lang=EN-AU>Winter appeal<o:p></o:p></span></h1><p class=MsoNormal><span lang=EN-AU style='color:red'>The first <b style='mso-bidi-font-weight:normal'>snow</b> <i>comes</i>.</span></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><!--EndFragment--></body></html>`,
    clean: "<h2>Winter appeal</h2>\n<p>The first <strong>snow</strong> <em>comes</em>.</p>",
    left: ["looks"],
  },
  {
    from: "Word: lists as paragraphs, in two levels",
    html: `<body>${item(1, "·", "Roof")}${item(2, "o", "Tin")}${item(2, "o", "Felt")}${item(1, "·", "Stove")}</body>`,
    clean: "<ul><li>Roof<ul><li>Tin</li><li>Felt</li></ul></li><li>Stove</li></ul>",
    left: ["looks"],
  },
  {
    from: "Word: a numbered list that begins at 3",
    html: `<body>${item(1, "3.", "Wood")}${item(1, "4.", "Coal")}<p class=MsoNormal>After</p></body>`,
    clean: '<ol start="3"><li>Wood</li><li>Coal</li></ol>\n<p>After</p>',
    left: ["looks"],
  },
  {
    from: "Word: tracked changes and comments",
    html: `<p class=MsoNormal>We want <del cite="mailto:Claire" datetime="2026-11-20">200</del><ins cite="mailto:Claire">240</ins> families<span class=MsoCommentReference><span style='font-size:8.0pt'><a class=msocomanchor id="_anchor_1" href="#_msocom_1">[CD1]</a></span></span>.</p><div style='mso-element:comment-list'><div style='mso-element:comment'><p class=MsoCommentText>Check the figure</p></div></div>`,
    clean: "<p>We want 240 families.</p>",
    left: ["comments", "deleted", "looks"],
  },
  {
    from: "Word: a table and a drawing",
    html: `<table class=MsoTableGrid border=1 cellspacing=0 style='border-collapse:collapse'><tr style='mso-yfti-irow:0'><td width=301 valign=top style='width:225.4pt'><p class=MsoNormal><b>Thing</b><o:p></o:p></p></td><td width=301 colspan=2><p class=MsoNormal>Price</p></td></tr><tr><td><p class=MsoNormal>Roof</p></td><td><p class=MsoNormal>$310</p></td><td><p class=MsoNormal>$3</p></td></tr></table><p class=MsoNormal><v:shape id="p1" style='width:1pt'><v:imagedata src="file:///C:/a.png"/></v:shape><img width=1 height=1 src="file:///C:/Users/claire/a.png">Below</p>`,
    clean:
      '<table><tbody><tr><td><strong>Thing</strong></td><td colspan="2">Price</td></tr><tr><td>Roof</td><td>$310</td><td>$3</td></tr></tbody></table>\n<p>Below</p>',
    left: ["pictures"],
  },
  {
    from: "Word: Urdu from right to left",
    html: `<p class=MsoNormal dir=RTL style='text-align:right;direction:rtl'><span lang=UR style='font-family:"Jameel Noori Nastaleeq"'>سردی آ گئی</span></p>`,
    clean: '<p dir="rtl"><span lang="ur">سردی آ گئی</span></p>',
    left: ["looks"],
  },
  {
    from: "Google Docs: everything in a bold that is not, spans with styles",
    html: `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr" style="line-height:1.38"><span style="font-size:16pt;color:#000">What a room needs</span></h2><p dir="ltr"><span style="font-size:11pt;font-weight:400">Read </span><a href="https://www.google.com/url?q=https://example.org/a&amp;sa=D" style="text-decoration:none"><span style="color:#1155cc;text-decoration:underline">this</span></a><span style="font-weight:700"> now</span><span style="font-style:italic">!</span></p><br></b>`,
    clean:
      '<h2>What a room needs</h2>\n<p>Read <a href="https://example.org/a" rel="external noopener">this</a><strong> now</strong><em>!</em></p>',
    left: ["looks"],
  },
  {
    from: "Google Docs: a list with the inner list beside its item",
    html: `<b id="docs-internal-guid-2" style="font-weight:normal;"><ul style="margin-top:0"><li dir="ltr" style="list-style-type:disc" aria-level="1"><p dir="ltr" role="presentation"><span style="font-size:11pt">One</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span>Two</span></p></li></ul><li><p><span>Three</span></p></li></ul></b>`,
    clean: "<ul><li>One<ul><li>Two</li></ul></li><li>Three</li></ul>",
    left: ["looks"],
  },
  {
    from: "Google Docs: comments at the end",
    html: `<p><span>Stove</span><sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup></p><div><p><a href="#cmnt_ref1" id="cmnt1">[a]</a><span>How much?</span></p></div>`,
    clean: "<p>Stove</p>\n<p>How much?</p>",
    left: ["comments"],
  },
  {
    from: "LibreOffice: fonts, western classes, an ordered list",
    html: `<html><head><meta name="generator" content="LibreOffice 7.4"/><style type="text/css">p { margin-bottom: 0.25cm }</style></head><body lang="en-AU" dir="ltr"><h1 class="western">Title</h1><p style="margin-bottom: 0cm"><font color="#c9211e"><font size="4" style="font-size: 14pt"><b>Red</b></font></font> and <u>lined</u></p><ol start="2"><li><p style="margin-bottom: 0cm">two</p></li></ol></body></html>`,
    clean: '<h2>Title</h2>\n<p><strong>Red</strong> and lined</p>\n<ol start="2"><li>two</li></ol>',
    left: ["looks"],
  },
  {
    from: "a web page: frames, scripts, a video, a foreign picture",
    html: `<article class="post"><header><h1>News</h1></header><div><script>alert(1)</script><p onclick="x()">Text<br><br>more</p><iframe src="https://example.org"></iframe><figure><img src="https://example.org/a.jpg" onerror="x()"><figcaption>Seen</figcaption></figure><div>loose <span hidden>hidden</span>words</div></div></article>`,
    clean: "<h2>News</h2>\n<p>Text</p>\n<p>more</p>\n<p>Seen</p>\n<p>loose words</p>",
    left: ["pictures", "parts"],
  },
  {
    from: "a web page: links that run or lead into a computer, and our own pages and pictures",
    html: `<p><a href="javascript:alert(1)">one</a> <a href="file:///C:/x">two</a> <a href="https://site.example/refunds">three</a> <a href="#top">four</a> <img src="data:image/png;base64,AAAA"> <img src="https://site.example/images/12" alt="Roof" width="4" height="3"></p>`,
    clean:
      '<p>one two <a href="/refunds">three</a> four <img src="/images/12" alt="Roof" width="4" height="3" loading="lazy" /></p>',
    left: ["pictures", "links"],
  },
  {
    from: "an email: a line in each div, a layout of tables, a safe link",
    html: `<table role="presentation" width="600"><tr><td><div>Dear Amina,</div><div><br></div><div>see <a href="https://aus01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.org%2Fb&amp;data=1">this</a>.</div><table><tr><td style="background-color:#eee"><p>Regards</p></td></tr></table></td></tr></table>`,
    clean:
      '<p>Dear Amina,</p>\n<p>see <a href="https://example.org/b" rel="external noopener">this</a>.</p>\n<p>Regards</p>',
    left: ["looks"],
  },
  {
    from: "a web page: terms, a quote, a line across, code",
    html: `<dl><dt>ABN</dt><dd>A number</dd></dl><blockquote cite="x"><p>Words</p></blockquote><hr class="x"><pre>a\nb</pre>`,
    clean: "<dl><dt>ABN</dt><dd>A number</dd></dl>\n<blockquote><p>Words</p></blockquote>\n<hr />\n<p>a<br />b</p>",
    left: [],
  },
  {
    from: "hostile: what would escape a parser",
    html: `<math><mi><style></mi></math><img src=x onerror=alert(1)></style><svg><script>alert(1)</script></svg><p><template><b>x</b></template>safe<noscript><img src="/images/1"></noscript></p>`,
    clean: "<p>safe</p>",
    left: ["pictures"],
  },
];
