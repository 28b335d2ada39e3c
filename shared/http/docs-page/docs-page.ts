import { createHash } from 'node:crypto'
import type { OpenApiDocument } from '../openapi/document-types.ts'
import { endpointSection, endpointsOf, methodBadge, serverOf } from './endpoint-section.ts'
import { failureSection } from './failure-section.ts'
import { blockMarkup, escapeHtml, inlineMarkup, slug } from './markup.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'
import { startSection } from './start-section.ts'

const icon = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='#2f4fd0'/><path d='M8 10h16M8 16h11M8 22h6' stroke='#fff' stroke-width='3' stroke-linecap='round'/></svg>`

/** Renders the API reference as one page, which needs no other resource, no network and no JavaScript. */
export function docsPage(document: OpenApiDocument): string {
  const { title, version, description } = document.info
  const [lead = '', ...rules] = description.split('\n\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(lead)}">
<title>${escapeHtml(title)} · API reference</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<style>${pageStyle}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="layout">
<header class="side">
<p class="brand"><a href="#top">${escapeHtml(title)}</a> <span>API reference · ${escapeHtml(version)}</span></p>
<label class="search" hidden><input id="search" type="search" placeholder="Find an endpoint" aria-label="Find an endpoint" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd></label>
${navigation(document)}
</header>
<main id="content" tabindex="-1">
<div id="top">
<h1>${escapeHtml(title)}</h1>
<p class="intro">${inlineMarkup(lead)}</p>
<ul class="facts"><li>Version ${escapeHtml(version)}</li><li>Base address <code>${escapeHtml(serverOf(document))}</code></li><li><a href="openapi.json">OpenAPI 3.1 document</a></li></ul>
</div>
${startSection(document)}
<section class="rules" id="basics" aria-labelledby="basics-title">
<h2 id="basics-title">Basics</h2>
<p class="intro">What applies to every endpoint.</p>
<div class="grid">${ruleBlocks(rules)}</div>
</section>
${failureSection()}
${document.tags.map((tag) => tagSection(document, tag)).join('\n')}
</main>
</div>
<script>${pageScript}</script>
</body>
</html>
`
}

/** The content security policy of the page: it allows its own style and script by hash, and nothing else. */
export const docsPagePolicy: string = [
  "default-src 'none'",
  `style-src '${sha256(pageStyle)}'`,
  `script-src '${sha256(pageScript)}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

const tagId = (name: string): string => `tag-${slug(name)}`

function navigation(document: OpenApiDocument): string {
  const groups = document.tags.map(({ name }) => {
    const items = endpointsOf(document, name).map(
      ({ method, path, operation }) =>
        `<li data-search="${escapeHtml(`${method} ${path} ${operation.summary} ${name}`)}"><a href="#${escapeHtml(operation.operationId)}">${methodBadge(method)} <span>${escapeHtml(operation.summary)}</span></a></li>`,
    )
    return navigationGroup(tagId(name), name, items)
  })
  const overview = navigationGroup('top', 'Overview', [
    '<li><a href="#getting-started">Getting started</a></li>',
    '<li><a href="#basics">Basics</a></li>',
    '<li><a href="#failure-codes">Failure codes</a></li>',
  ])
  return `<nav aria-label="Endpoints">${[overview, ...groups].join('\n')}
<p id="none" role="status" hidden>Nothing found.</p></nav>`
}

const navigationGroup = (id: string, name: string, items: readonly string[]): string =>
  `<div class="group"><h2><a href="#${id}">${escapeHtml(name)}</a></h2><ul>${items.join('')}</ul></div>`

/** Wraps each heading and its paragraphs in one cell of the grid. */
const ruleBlocks = (blocks: readonly string[]): string =>
  blocks
    .join('\n\n')
    .split(/\n\n(?=## )/)
    .map((rule) => `<div>${blockMarkup(rule)}</div>`)
    .join('\n')

function tagSection(document: OpenApiDocument, tag: OpenApiDocument['tags'][number]): string {
  const id = tagId(tag.name)
  return `<section class="tag" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${escapeHtml(tag.name)}</h2>
<p class="intro">${inlineMarkup(tag.description ?? '')}</p>
${endpointsOf(document, tag.name)
  .map((endpoint) => endpointSection(document, endpoint))
  .join('\n')}
</section>`
}
