export { type AdministrationDependencies, configuredObject } from './configured-object.ts'
export { membersOf } from './members.ts'
