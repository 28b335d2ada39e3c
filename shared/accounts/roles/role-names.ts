import { tableActions } from '../../kernel/permissions.ts'

/** The role that passes every permission check. Every tenant has it, and it cannot be changed. */
export const administratorRole = 'admin'
/** The role of new users, unless the setting DEFAULT_ROLE names another. */
export const ordinaryRole = 'user'

export const roleNamePattern = /^[a-z][a-z0-9_-]{0,62}$/

export const roleNameShape =
  'Use at most 63 lower-case letters, digits, hyphens and underscores, beginning with a letter.'

/** `*`, `<table>.*`, `*.<action>` or `<name>.<action>`. */
export const permissionPattern = new RegExp(
  `^(?:\\*|\\*\\.(?:${tableActions.join('|')})|[a-z][a-z0-9_]{0,62}\\.(?:\\*|[a-z][a-z0-9_]{0,62}))$`,
)

export const permissionShape = `Write a permission as <table>.<action>, such as requests.read. Actions are ${tableActions.join(', ')} and *; *.read is for all tables, * for everything.`
