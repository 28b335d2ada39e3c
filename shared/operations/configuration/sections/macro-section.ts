import { checkMacro } from '../../../automation/macros/check-macro.ts'
import type { Macro } from '../../../automation/macros/macro.ts'
import { type MacroDependencies, macros } from '../../../automation/macros/macros.ts'
import type { MacroDocument, MacroInput } from '../../../automation/macros/schema.ts'
import { objectSection } from './object-section.ts'
import type { Section } from './section.ts'
import { tablesToBe } from './tables-to-be.ts'

/** The macros of a configuration. An id of a user means nothing in another tenant. */
export const macroSection = (services: MacroDependencies): Section<MacroDocument> =>
  objectSection<Macro, MacroDocument, MacroInput, MacroDependencies>(macros, services, {
    documentsOf: (_, all) =>
      all
        .filter(({ assign }) => typeof assign !== 'number')
        .map(({ name, model, set, transition, comment, assign, next }) => ({
          name,
          model,
          set,
          transition,
          comment,
          assign,
          next,
        })),
    openCheck({ tenant }, _existing, whole) {
      const tables = tablesToBe(services.tables, tenant, whole)
      return Promise.resolve(({ model, set = null, transition = null, comment = null, assign = null }) =>
        checkMacro(tables, tenant, { model, set, transition, comment, assign }),
      )
    },
  })
