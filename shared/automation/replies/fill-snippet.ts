import { NotFound } from '../../kernel/failures/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import { parseTemplate } from '../../messages/notification-templates/placeholders.ts'
import { renderText } from '../../messages/notification-templates/render-template.ts'
import { readTimeZone } from '../../platform/settings/read-settings.ts'
import { findSnippet } from '../snippets/snippets.ts'
import type { RecordRef } from './dependencies.ts'
import { replyValues, type ValueDependencies } from './reply-values.ts'
import type { FilledSnippet } from './schema.ts'

/**
 * A snippet with the values of a record that the caller may read, as `replyValues` has them; for a note in the caller's
 * language, else in that of whoever gets the answer. Throws NotFound, also for a snippet of another table.
 */
export async function fillSnippet(
  services: ValueDependencies,
  caller: Caller,
  record: RecordRef,
  snippetId: number,
): Promise<FilledSnippet> {
  await services.tables.require(caller.tenant, record.model)
  const { id, name, body, model } = await findSnippet(services, caller, snippetId)
  if (model !== null && model !== record.model) throw new NotFound('snippet', { id: snippetId })
  const used = parseTemplate(body).flatMap((part) => (part.kind === 'placeholder' ? [part.path.join('.')] : []))
  const { params, locale } = await replyValues(services, caller, record, used)
  const timeZone = await readTimeZone(services.config, caller.tenant)
  return { id, name, ...renderText(body, params, { locale: locale ?? caller.locale, timeZone }) }
}
