export { createOrgTree, type OrgTree } from './org-tree.ts'
export { formsTree, parentField } from './parent-field.ts'
export { hasTreeChanged } from './tree-row.ts'
