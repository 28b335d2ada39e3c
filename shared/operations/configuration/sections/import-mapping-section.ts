import { unrestricted } from '../../../kernel/principal.ts'
import { checkImportMapping } from '../../import-mappings/check-mapping.ts'
import type { ImportMapping } from '../../import-mappings/import-mapping.ts'
import { type ImportMappingDependencies, storedMappings } from '../../import-mappings/import-mappings.ts'
import type { ImportMappingDocument, ImportMappingInput } from '../../import-mappings/schema.ts'
import { objectSection } from './object-section.ts'
import type { Section } from './section.ts'
import { tablesToBe } from './tables-to-be.ts'

/** The mappings of files that people saved. Whoever applies the document owns those that it makes. */
export const importMappingSection = (services: ImportMappingDependencies): Section<ImportMappingDocument> =>
  objectSection<ImportMapping, ImportMappingDocument, ImportMappingInput, ImportMappingDependencies>(
    storedMappings,
    services,
    {
      documentsOf: (_, all) =>
        all.map(({ name, model, mapping, format, sheet, mode, key, legacy }) => ({
          name,
          model,
          mapping: { ...mapping },
          format,
          sheet,
          mode,
          key,
          is_legacy: legacy,
        })),
      complete: ({ name, model, mapping, format, sheet, mode, key, is_legacy }, before) => ({
        name,
        model,
        mapping,
        format: format ?? null,
        sheet: sheet ?? null,
        mode: mode ?? null,
        key: key ?? null,
        is_legacy: is_legacy ?? before?.is_legacy ?? false,
      }),
      openCheck({ tenant }, _existing, whole) {
        const tables = tablesToBe(services.tables, tenant, whole)
        return Promise.resolve(({ model, mapping, format, sheet, mode, key, is_legacy }) =>
          checkImportMapping(tables, unrestricted, {
            model,
            mapping,
            format: format ?? null,
            sheet: sheet ?? null,
            mode: mode ?? null,
            key: key ?? null,
            legacy: is_legacy ?? false,
          }),
        )
      },
    },
  )
