import { isActiveAdministrator, type User } from '../people/user.ts'

/** Whether a user of a tenant may act as another: administrators may, for every non-administrator. */
export const mayImpersonate = (administrator: User, user: User): boolean =>
  administrator.kindOf === 'person' &&
  isActiveAdministrator(administrator) &&
  administrator.id !== user.id &&
  user.isActive &&
  user.kindOf === 'person' &&
  !isActiveAdministrator(user)
