import {
  type IncomingActionAdministration,
  incomingActions,
} from '../../../automation/incoming-actions/administer/incoming-actions.ts'
import { checkRule, ruleWarnings } from '../../../automation/incoming-actions/check-incoming-action.ts'
import type { IncomingAction } from '../../../automation/incoming-actions/incoming-action.ts'
import type { IncomingActionInput } from '../../../automation/incoming-actions/schema.ts'
import { maxIncomingRules } from '../../../kernel/limits/incoming.ts'
import { placeholdersByCode } from '../../../messages/notification-templates/placeholders-by-code.ts'
import { ErrorList } from '../../../tables/tables/error-list.ts'
import type { IncomingActionConfiguration } from '../schema.ts'
import { objectSection } from './object-section.ts'
import type { Section } from './section.ts'
import { namesAdded, tablesToBe } from './tables-to-be.ts'

/** The rules for incoming messages of a configuration, by name. */
export const incomingActionSection = (
  administration: IncomingActionAdministration,
): Section<IncomingActionConfiguration> =>
  objectSection<IncomingAction, IncomingActionConfiguration, IncomingActionInput, IncomingActionAdministration>(
    incomingActions,
    administration,
    {
      async openCheck({ tenant }, existing, whole) {
        const { find, names } = tablesToBe(administration.tables, tenant, whole)
        const added = [...new Set((whole.incoming_actions ?? []).map(({ name }) => name))].filter(
          (name) => !existing.has(name),
        )
        const tooMany = new Set(added.slice(Math.max(0, maxIncomingRules - existing.size)))
        const templates = async () =>
          new Map([...(await placeholdersByCode(administration.config, tenant)), ...namesAdded(whole).templates])
        return async (one, _index, warn) => {
          const list = new ErrorList()
          const { target_model: targetModel, field_mapping: fieldMapping = {}, script = null, condition = null } = one
          const { process_message: processMessage = null, is_automatic: isAutomatic = false } = one
          const { on_reply: onReply = 'comment', reopen = null } = one
          for (const warning of await ruleWarnings({ find, templates }, { model: targetModel, script })) warn(warning)
          await checkRule(
            { find, names },
            { targetModel, fieldMapping, script, condition, processMessage, isAutomatic, onReply, reopen },
            list,
          )
          if (tooMany.has(one.name))
            list.add('name', `There may be at most ${maxIncomingRules} rules, with the ${existing.size} that exist.`)
          return list.problems
        }
      },
    },
  )
