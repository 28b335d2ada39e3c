import * as limits from '../../../../../kernel/limits/relations.ts'
import { explained } from '../explained.ts'

export const relationsLimits = explained('Relations', limits, {
  maxLinksPerCall: ['records', 'records that one request links or unlinks', '422 on `ids`'],
  maxCountedLinks: ['links', 'links of a record that `total` counts', '`meta.total_exact` is false'],
  maxScannedLinks: ['links', 'links that a page looks at for a caller with row rules', '`meta.total_exact` is false'],
  maxRelationNameCharacters: ['characters', 'the name of a relation', '422'],
})
