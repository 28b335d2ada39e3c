import {
  changeIncomingAction,
  checkRule,
  createIncomingAction,
  type IncomingAction,
  type IncomingActionAdministration,
  incomingActionOf,
} from '../incoming-actions/service.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { ErrorList, type Table } from '../tables/service.ts'
import type { IncomingActionConfiguration } from './schema.ts'
import type { Section } from './section.ts'
import { tableToBe } from './table-to-be.ts'

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
    async check({ tenant }, documents, _existing, whole) {
      const list = new ErrorList()
      const find = async (name: string): Promise<Table | undefined> => {
        const document = whole.tables?.find((one) => one.name === name)
        return document ? tableToBe(document) : tables.find(tenant, name)
      }
      const names = async () => [
        ...(await tables.all(tenant)).map(({ name }) => name),
        ...(whole.tables ?? []).map(({ name }) => name),
      ]
      for (const [index, one] of documents.entries()) {
        const { target_model: targetModel, field_mapping: fieldMapping = {}, script = null, condition = null } = one
        await checkRule({ find, names }, { targetModel, fieldMapping, script, condition }, list, `${index}.`)
      }
      return list.errors
    },
    async create(caller, document) {
      await createIncomingAction(deps, caller, document)
    },
    async change(caller, document) {
      const before = (await stored(caller.tenant)).find(({ name }) => name === document.name)
      if (before) await changeIncomingAction(deps, caller, before.id, document)
    },
  }
}
