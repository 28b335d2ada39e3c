export { checkItem, isFinalState } from './check-item.ts'
export { conditionIsAbout, defaultsFor, type PortalItem, shownFields, stateField } from './portal-item.ts'
export {
  findItemFor,
  itemNamesNow,
  itemOf,
  itemsFor,
  type PortalItemDependencies,
  portalItems,
} from './portal-items.ts'
