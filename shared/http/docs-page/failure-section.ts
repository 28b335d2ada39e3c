import { explainedCodes, type ExplainedCode } from '../openapi/explained-codes.ts'
import { escapeHtml, inlineMarkup } from './markup.ts'

/** A table of all failure codes. Each has an anchor, so that a ticket can link to it. */
export const failureSection = (): string =>
  `<section class="rules" id="failure-codes" aria-labelledby="failure-codes-title">
<h2 id="failure-codes-title">Failure codes</h2>
<p class="intro">Branch on <code>code</code>: it is never renamed and never changes its meaning. New codes may be added, so handle an unknown code by its status.</p>
<table class="codes" role="table"><caption>Failure codes by status</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Code</th><th role="columnheader" scope="col">Status</th><th role="columnheader" scope="col">Meaning</th><th role="columnheader" scope="col">What to do</th></tr></thead>
<tbody role="rowgroup">${explainedCodes.map(row).join('\n')}</tbody></table>
</section>`

const row = ({ code, status, meaning, remedy }: ExplainedCode): string =>
  `<tr role="row" id="code-${escapeHtml(code)}"><th role="rowheader" scope="row"><code>${escapeHtml(code).replaceAll('_', '_<wbr>')}</code></th>
<td role="cell"><span class="status s${Math.floor(status / 100)}">${status}</span></td>
<td role="cell">${inlineMarkup(meaning)}</td>
<td role="cell">${inlineMarkup(remedy)}</td></tr>`
