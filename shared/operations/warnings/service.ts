export { tableWarnings } from './table-warnings.ts'
