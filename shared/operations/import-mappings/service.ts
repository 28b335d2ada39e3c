export { checkImportMapping, errorsOfColumns } from './check-mapping.ts'
export type { ImportMapping } from './import-mapping.ts'
export { findSavedMapping, type ImportMappingDependencies, importMappings, storedMappings } from './import-mappings.ts'
export { importKeys, mappableFields } from './mappable-fields.ts'
