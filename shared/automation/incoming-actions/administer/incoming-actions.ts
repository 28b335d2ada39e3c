import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { maxIncomingRules } from '../../../kernel/limits/incoming.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { mailboxesOf, settingsMailboxId } from '../../../messages/mailboxes/mailbox.ts'
import { placeholdersByCode } from '../../../messages/notification-templates/placeholders-by-code.ts'
import {
  type AdministrationDependencies,
  configuredObject,
} from '../../../platform/configured-objects/configured-object.ts'
import { type CheckDependencies, checkIncomingAction, problemOf, ruleWarnings } from '../check-incoming-action.ts'
import type { IncomingAction } from '../incoming-action.ts'
import type { IncomingActionAnswer, IncomingActionInput } from '../schema.ts'

export type IncomingActionAdministration = CheckDependencies & AdministrationDependencies

/** The rules for incoming messages. Records that a deleted one made stay. */
export const incomingActions = configuredObject<
  IncomingAction,
  Omit<IncomingActionAnswer, 'id' | 'created_at' | 'updated_at' | 'version' | 'problem'>,
  IncomingActionAnswer,
  IncomingActionInput,
  IncomingActionAdministration
>({
  kind: 'INCOMING_ACTION',
  sequence: 'sys_incoming_actions',
  called: { one: 'rule', list: 'incoming-actions' },
  members: {
    name: {},
    channel: {},
    mailbox_ids: { stored: 'mailboxIds', unset: null },
    is_automatic: { stored: 'isAutomatic', unset: false },
    target_model: { stored: 'targetModel' },
    field_mapping: { stored: 'fieldMapping', unset: {} },
    script: { unset: null },
    process_message: { stored: 'processMessage', unset: null },
    button_label: { stored: 'buttonLabel', unset: null },
    button_color: { stored: 'buttonColor', unset: null },
    condition: { unset: null },
    on_reply: { stored: 'onReply', unset: 'comment' },
    reopen: { unset: null },
    position: { unset: 0 },
    is_active: { stored: 'isActive', unset: true },
    send_comments: { stored: 'sendComments', unset: false },
  },
  normalize: (draft, { caller }) => ({ ...draft, savedBy: caller.userId }),
  async check(draft, { services: administration, caller, before }) {
    const errors = {
      ...(await checkIncomingAction(administration, caller.tenant, draft)),
      ...(await mailboxErrors(administration, caller.tenant, draft)),
    }
    if (Object.keys(errors).length === 0 && !before) await requireRoom(administration, caller)
    return errors
  },
  async problemOf(administration, tenant, rule) {
    const gone = Object.values(await mailboxErrors(administration, tenant, rule)).flat()
    return [(await problemOf(administration, tenant, rule)) ?? [], gone].flat().join(' ') || null
  },
  warningsOf: (administration, tenant, { target_model: model, script }) =>
    ruleWarnings(
      {
        find: (name) => administration.tables.find(tenant, name),
        templates: () => placeholdersByCode(administration.config, tenant),
      },
      { model, script },
    ),
})

/** The errors of the mailboxes that a rule names. */
async function mailboxErrors(
  { config }: Pick<IncomingActionAdministration, 'config'>,
  tenant: Tenant,
  { mailboxIds, channel }: Pick<IncomingAction, 'mailboxIds' | 'channel'>,
): Promise<FieldErrors> {
  if (!mailboxIds) return {}
  if (channel !== 'email' && channel !== 'all')
    return { mailbox_ids: [`A rule for ${channel} messages gets no mails: leave the mailboxes out.`] }
  const known = new Set([settingsMailboxId, ...(await mailboxesOf(config, tenant)).map(({ id }) => id)])
  return Object.fromEntries(
    mailboxIds.flatMap((id, at) => (known.has(id) ? [] : [[`mailbox_ids.${at}`, [`There is no mailbox ${id}.`]]])),
  )
}

/** Throws Invalid when there are as many rules as there may be. */
async function requireRoom(
  administration: IncomingActionAdministration,
  { tenant }: Parameters<typeof incomingActions.create>[1],
): Promise<void> {
  if ((await incomingActions.allFresh(administration, tenant)).length >= maxIncomingRules)
    throw new Invalid(
      {},
      { message: `There are ${maxIncomingRules} rules, and there may not be more. Delete one first.` },
    )
}
