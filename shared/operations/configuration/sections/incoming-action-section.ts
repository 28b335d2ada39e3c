import {
  changeIncomingAction,
  checkRule,
  createIncomingAction,
  type IncomingAction,
  type IncomingActionAdministration,
  incomingActionOf,
} from '../../../automation/incoming-actions/service.ts'
import { maxIncomingRules } from '../../../kernel/limits/incoming.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { ErrorList } from '../../../tables/tables/service.ts'
import type { IncomingActionConfiguration } from '../schema.ts'
import type { Section } from './section.ts'
import { tablesToBe } from './tables-to-be.ts'

/** The rules for incoming messages of a configuration, by name. */
export function incomingActionSection(deps: IncomingActionAdministration): Section<IncomingActionConfiguration> {
  const { config, tables } = deps
  const stored = async (tenant: TenantRef): Promise<IncomingAction[]> =>
    (await config.listFresh(tenant, 'INCOMING_ACTION')).map(incomingActionOf)

  return {
    async read({ tenant }) {
      return new Map(
        (await stored(tenant)).map((rule): [string, IncomingActionConfiguration] => [
          rule.name,
          {
            name: rule.name,
            channel: rule.channel,
            is_automatic: rule.isAutomatic,
            target_model: rule.targetModel,
            field_mapping: { ...rule.fieldMapping },
            script: rule.script,
            button_label: rule.buttonLabel,
            button_color: rule.buttonColor,
            condition: rule.condition && { ...rule.condition },
            on_reply: rule.onReply,
            position: rule.position,
            is_active: rule.isActive,
            send_comments: rule.sendComments,
          },
        ]),
      )
    },
    complete: (document, before) => ({
      ...document,
      is_automatic: document.is_automatic ?? before?.is_automatic ?? false,
      field_mapping: document.field_mapping ?? before?.field_mapping ?? {},
      script: document.script ?? null,
      button_label: document.button_label ?? null,
      button_color: document.button_color ?? null,
      condition: document.condition ?? null,
      on_reply: document.on_reply ?? before?.on_reply ?? 'comment',
      position: document.position ?? before?.position ?? 0,
      is_active: document.is_active ?? before?.is_active ?? true,
      send_comments: document.send_comments ?? before?.send_comments ?? false,
    }),
    async openCheck({ tenant }, existing, whole) {
      const { find, names } = tablesToBe(tables, tenant, whole)
      const added = [...new Set((whole.incoming_actions ?? []).map(({ name }) => name))].filter(
        (name) => !existing.has(name),
      )
      const tooMany = new Set(added.slice(Math.max(0, maxIncomingRules - existing.size)))
      return async (one) => {
        const list = new ErrorList()
        const { target_model: targetModel, field_mapping: fieldMapping = {}, script = null, condition = null } = one
        await checkRule({ find, names }, { targetModel, fieldMapping, script, condition }, list)
        if (tooMany.has(one.name))
          list.add('name', `There may be at most ${maxIncomingRules} rules, with the ${existing.size} that exist.`)
        return list.errors
      }
    },
    async create(author, document) {
      await createIncomingAction(deps, author, document)
    },
    async change(author, document) {
      const before = (await stored(author.tenant)).find(({ name }) => name === document.name)
      if (before) await changeIncomingAction(deps, author, before.id, document)
    },
  }
}
