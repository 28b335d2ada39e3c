import { useTranslation } from 'react-i18next'
import { type Labels, quote, quoteRefusal } from '../words/service-words.ts'
import { ApiError, Unreachable } from './client.ts'

/** What is wrong by field, the first of each, with the labels of the form. */
export const fieldErrorsOf = (error: unknown, labels?: Labels): Readonly<Record<string, string>> =>
  error instanceof ApiError
    ? Object.fromEntries(
        Object.entries(error.errors).map(([name, [message = error.message]]) => {
          const said = error.fieldErrors[name]?.[0]
          return [name, said ? quote(said, labels) : message]
        }),
      )
    : {}

interface Asked {
  readonly data: unknown
  readonly error: unknown
  readonly fetchStatus: 'fetching' | 'paused' | 'idle'
}

/** Why a question has no answer to show: it failed, or waits for a connection. Null while it is read, and once it is. */
export function failureOf({ data, error, fetchStatus }: Asked): unknown {
  if (data !== undefined) return null
  return error ?? (fetchStatus === 'paused' ? new Unreachable('There is no connection.') : null)
}

/** Whether somebody else changed the record in the meantime. */
export const isConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 412 || error.code === 'concurrent_change')

/** Whether there is no such thing for the caller. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 403)

/** What to tell people of a failure: the service's words where it answered. */
export function useMessageOf(): (error: unknown, labels?: Labels) => string {
  const { t } = useTranslation()
  return (error, labels) => {
    if (error instanceof Unreachable) return t('failures.unreachable')
    if (!(error instanceof ApiError)) return t('failures.unexpected')
    if (error.status >= 500) return t('failures.service', { id: error.requestId ?? '' })
    const [first] = Object.values(fieldErrorsOf(error, labels))
    return first ?? quoteRefusal(error.said, error.code, error.message)
  }
}
