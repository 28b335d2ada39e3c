import { type Clock, isoTime } from '../../kernel/clock.ts'
import { changedMeanwhile, requireCurrentVersion } from '../../kernel/concurrent-change.ts'
import { Invalid } from '../../kernel/faults.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { Step } from '../../platform/store/commit.ts'
import { type Config, putConfigRow, removeConfigRow } from '../../platform/store/config.ts'
import { allocateIds } from '../../platform/store/sequence/sequence.ts'
import type { Store, Write } from '../../platform/store/store.ts'
import { configurationEvent } from '../../platform/trail/service.ts'
import { checkContent } from './check-content.ts'
import { requireTemplate } from './list-templates.ts'
import type { NotificationTemplateChange, NotificationTemplateInput } from './schema.ts'
import {
  describeTemplate,
  headRow,
  type NotificationTemplate,
  templateRow,
  templateRowName,
  templateSequence,
} from './template.ts'
import type { TemplateContent } from './translation.ts'

/** What the administration of templates needs. */
export interface NotificationTemplateDependencies {
  readonly store: Store
  readonly config: Config
  readonly clock: Clock
}

/** Creates a template. Throws Invalid for a taken code, a wrong placeholder or a wrong locale. */
export async function createTemplate(
  deps: NotificationTemplateDependencies,
  caller: Principal,
  { name, code, subject, body, translations = {} }: NotificationTemplateInput,
): Promise<NotificationTemplate> {
  const content = checkedContent({ subject, body, translations })
  const id = await allocateIds(deps.store, caller.tenant, templateSequence)
  const template: NotificationTemplate = { id, name, code, ...content, version: 1 }
  await save(deps, caller, undefined, template)
  return template
}

/**
 * Changes a template; `translations` are replaced as a whole. `version`, when given, must be the current one. Throws
 * NotFound, Conflict, and Invalid as `createTemplate` does.
 */
export async function changeTemplate(
  deps: NotificationTemplateDependencies,
  caller: Principal,
  id: number,
  change: NotificationTemplateChange,
): Promise<NotificationTemplate> {
  const before = await requireTemplate(deps, caller.tenant, id)
  requireCurrentVersion('notification template', before, change.version)
  const { name = before.name, code = before.code } = change
  const { subject = before.subject, body = before.body, translations = before.translations } = change
  const content = checkedContent({ subject, body, translations })
  const after: NotificationTemplate = { id, name, code, ...content, version: before.version + 1 }
  await save(deps, caller, before, after)
  return after
}

/** Deletes a template: messages that still need it fail. Throws NotFound and Conflict. */
export async function removeTemplate(
  deps: Pick<NotificationTemplateDependencies, 'config' | 'clock'>,
  caller: Principal,
  id: number,
): Promise<void> {
  const { tenant } = caller
  const before = await requireTemplate(deps, tenant, id)
  await deps.config.change(
    tenant,
    [
      removeConfigRow(tenant, 'NOTIFICATION_TEMPLATE', templateRowName(id), before.version),
      removeConfigRow(tenant, 'NOTIFICATION_CODE', before.code, before.version),
      templateEvent(deps.clock, caller, before, undefined),
    ],
    changedMeanwhile('notification template'),
  )
}

/** The content with canonical locales. Throws Invalid. */
function checkedContent(given: TemplateContent): TemplateContent {
  const { content, errors } = checkContent(given)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return content
}

async function save(
  { config, clock }: Pick<NotificationTemplateDependencies, 'config' | 'clock'>,
  caller: Principal,
  before: NotificationTemplate | undefined,
  after: NotificationTemplate,
): Promise<void> {
  const { tenant, userId } = caller
  const audit = { userId, at: isoTime(clock.now()) }
  const version = before?.version ?? null
  const keepsCode = before?.code === after.code
  const head: Step = {
    write: putConfigRow(tenant, 'NOTIFICATION_CODE', headRow(after), keepsCode ? version : null, audit),
    refused: keepsCode ? changedMeanwhile('notification template') : codeTaken,
  }
  await config.change(
    tenant,
    [
      putConfigRow(tenant, 'NOTIFICATION_TEMPLATE', templateRow(after), version, audit),
      head,
      ...(before && !keepsCode ? [removeConfigRow(tenant, 'NOTIFICATION_CODE', before.code, before.version)] : []),
      templateEvent(clock, caller, before, after),
    ],
    changedMeanwhile('notification template'),
  )
}

const templateEvent = (
  clock: Clock,
  caller: Principal,
  before: NotificationTemplate | undefined,
  after: NotificationTemplate | undefined,
): Write =>
  configurationEvent(clock, caller, {
    model: templateSequence,
    before,
    after,
    nameOf: ({ code }) => code,
    documentOf: describeTemplate,
  })

const codeTaken = (): Invalid => new Invalid({ code: ['The code has already been taken.'] })
