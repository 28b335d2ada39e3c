import { changedMeanwhile } from '../../kernel/failures/concurrent-change.ts'
import { Invalid } from '../../kernel/failures/faults.ts'
import {
  type AdministrationDependencies,
  configuredObject,
} from '../../platform/configured-objects/configured-object.ts'
import { putConfigRow, removeConfigRow } from '../../platform/store/config.ts'
import { allocateIds } from '../../platform/store/sequence/sequence.ts'
import { requireUnused } from '../../tables/tables/administration/require-unused.ts'
import { checkContent } from './check-content.ts'
import type { NotificationTemplateAnswer, NotificationTemplateInput } from './schema.ts'
import { headRow, type NotificationTemplate } from './template.ts'
import type { TemplateContent } from './translation.ts'

const sequence = 'sys_notification_templates'

/** The notification templates. One that a subscription or a process names cannot be deleted. */
export const notificationTemplates = configuredObject<
  NotificationTemplate,
  Omit<NotificationTemplateAnswer, 'id' | 'created_at' | 'updated_at' | 'version'>,
  NotificationTemplateAnswer,
  NotificationTemplateInput,
  AdministrationDependencies
>({
  kind: 'NOTIFICATION_TEMPLATE',
  isReadFresh: true,
  sequence,
  called: { one: 'notification template', list: 'notification_templates' },
  members: { name: {}, code: {}, subject: {}, body: {}, translations: { unset: {} } },
  nameOf: ({ code }) => code,
  requireUnused: ({ config }, tenant, { code }) => requireUnused(config, tenant, { kind: 'template', name: code }),
  takeId: (store, tenant) => allocateIds(store, tenant, sequence),
  normalize: (draft) => ({ ...draft, ...checkedContent(draft) }),
  // The row of the code keeps it unique, finds the template and lists it.
  holdName({ caller: { tenant }, before }, after, audit) {
    const free = before && removeConfigRow(tenant, 'NOTIFICATION_CODE', before.code, before.version)
    if (!after) return free ? [free] : []
    const keepsCode = before?.code === after.code
    const version = keepsCode ? before.version : null
    const refused = keepsCode ? changedMeanwhile('notification template') : codeTaken
    const hold = { write: putConfigRow(tenant, 'NOTIFICATION_CODE', headRow(after), version, audit), refused }
    return free && !keepsCode ? [hold, free] : [hold]
  },
})

/** The content with canonical locales. Throws Invalid. */
function checkedContent(given: TemplateContent): TemplateContent {
  const { content, errors } = checkContent(given)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return content
}

const codeTaken = (): Invalid => new Invalid({ code: ['The code has already been taken.'] })
