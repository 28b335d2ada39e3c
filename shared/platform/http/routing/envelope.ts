import type { Warning } from '../../../kernel/failures/warning.ts'
import { environment } from '../../../kernel/runtime/environment.ts'
import type { AnswerShape } from './define-route.ts'

/** A payload with additional response headers, members of `meta`, and warnings beside it in the envelope. */
export class Reply<T> {
  readonly payload: T
  readonly headers: Readonly<Record<string, string>>
  readonly meta: Readonly<Record<string, unknown>> | undefined
  readonly warnings: readonly Warning[]

  constructor(
    payload: T,
    headers: Readonly<Record<string, string>>,
    meta?: Readonly<Record<string, unknown>>,
    warnings: readonly Warning[] = [],
  ) {
    this.payload = payload
    this.headers = headers
    this.meta = meta
    this.warnings = warnings
  }
}

/** So many warnings show what is wrong. */
const maxWarnings = 100

/** A payload with `warnings` beside it, when there are any. */
export const withWarnings = <T>(payload: T, warnings: readonly Warning[]): Reply<T> =>
  new Reply(payload, {}, undefined, warnings.slice(0, maxWarnings))

/** Answers 202: the work continues in the background, and the payload names its job. */
export class Accepted {
  readonly payload: unknown
  readonly headers: Readonly<Record<string, string>>

  constructor(payload: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.payload = payload
    this.headers = headers
  }
}

/** Answers 302: the browser is redirected to another address. */
export class Redirect {
  readonly headers: Readonly<Record<string, string>>

  constructor(location: string, headers: Readonly<Record<string, string>> = {}) {
    this.headers = { ...headers, location }
  }
}

/** Answers 304: the client has the current answer already. */
export class NotModified {
  readonly headers: Readonly<Record<string, string>>

  constructor(etag: string) {
    this.headers = { etag }
  }
}

/** A page of a list; the envelope derives `meta` and `links` from it. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
  readonly perPage: number
  /** From 1; null when the page was read by cursor. */
  readonly page: number | null
  /** The number of rows before this page; null when unknown. */
  readonly offset: number | null
  readonly nextCursor: string | null
  /** Further members of the envelope, such as `rowCount` for AG Grid. */
  readonly extraMembers?: Readonly<Record<string, unknown>>
  /** Further members of `meta`, such as `pending`. */
  readonly meta?: Readonly<Record<string, unknown>>
}

/** Answers one page of a list in memory, without a cursor. */
export function pageOf<T>(all: readonly T[], { page, per_page }: { page: number; per_page: number }): Page<T> {
  const offset = (page - 1) * per_page
  return {
    items: all.slice(offset, offset + per_page),
    total: all.length,
    perPage: per_page,
    page,
    offset,
    nextCursor: null,
  }
}

/** The address of the request, for links to other pages. */
export interface RequestAddress {
  readonly path: string
  readonly query: Readonly<Record<string, string | undefined>>
}

/** Wraps a payload in the success envelope of its shape (contract §1); `raw` stays as it is. */
export function wrap(
  shape: AnswerShape,
  payload: unknown,
  address: RequestAddress,
  { meta, warnings = [] }: Partial<Pick<Reply<unknown>, 'meta' | 'warnings'>> = {},
): unknown {
  switch (shape) {
    case 'raw':
      return payload
    case 'login':
      return { success: true, ...(payload as object), data: payload, message: 'OK' }
    case 'page':
      return wrapPage(payload as Page<unknown>, address)
    case 'data':
      return {
        success: true,
        data: payload ?? null,
        message: 'OK',
        ...(meta && { meta }),
        ...(warnings.length > 0 && { warnings }),
      }
  }
}

function wrapPage(page: Page<unknown>, address: RequestAddress): unknown {
  const lastPage = Math.max(1, Math.ceil(page.total / page.perPage))
  const first = page.offset === null || page.items.length === 0 ? null : page.offset + 1
  const link = (number: number): string => pageAddress(address, number, page.perPage)
  const current = page.page
  return {
    success: true,
    data: page.items,
    message: 'OK',
    ...page.extraMembers,
    meta: {
      current_page: current,
      from: first,
      to: first === null ? null : first + page.items.length - 1,
      per_page: page.perPage,
      last_page: lastPage,
      total: page.total,
      next_cursor: page.nextCursor,
      ...page.meta,
    },
    links: {
      first: link(1),
      last: link(lastPage),
      ...(address.query.cursor ? cursorLinks(address, page) : numberLinks(current, lastPage, link)),
    },
  }
}

const numberLinks = (current: number | null, lastPage: number, link: (page: number) => string) => ({
  prev: current !== null && current > 1 ? link(Math.min(current - 1, lastPage)) : null,
  next: current !== null && current < lastPage ? link(current + 1) : null,
})

/** A list that is read by cursor continues by cursor, and has no previous page. */
const cursorLinks = (address: RequestAddress, { nextCursor, perPage }: Page<unknown>) => ({
  prev: null,
  next: nextCursor === null ? null : linkTo(address, { cursor: nextCursor, per_page: perPage }),
})

const pageAddress = (address: RequestAddress, page: number, perPage: number): string =>
  linkTo(address, { page, per_page: perPage })

/** The address of the request with other paging parameters. */
function linkTo(address: RequestAddress, paging: Readonly<Record<string, string | number>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(address.query)) {
    if (value !== undefined && name !== 'page' && name !== 'per_page' && name !== 'cursor') query.set(name, value)
  }
  for (const [name, value] of Object.entries(paging)) query.set(name, String(value))
  return `${publicUrl()}${address.path}?${query}`
}

/** The base URL of all links, without a slash at the end. */
export const publicUrl = (): string => (environment().PUBLIC_URL ?? '').replace(/\/+$/, '')
