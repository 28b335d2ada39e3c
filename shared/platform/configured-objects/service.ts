export { type Activated, activeSince, isActiveFor } from './active-since.ts'
export { type AdministrationDependencies, configuredObject } from './configured-object.ts'
export { implementObject, type ObjectAdministration } from './implement-object.ts'
export { membersOf } from './members.ts'
