import { useTranslation } from 'react-i18next'
import type { BulkResult } from '../api/bulk.ts'

const shownErrors = 8

/** What a bulk change would do or did, and what was refused, in the words of the service. */
export function BulkOutcome({ result, isDone }: { readonly result: BulkResult; readonly isDone: boolean }) {
  const { t } = useTranslation()
  const { matched, changed, unchanged, failed, errors } = result
  return (
    <div role="status">
      <p>{t(isDone ? 'bulk.didChange' : 'bulk.willChange', { changed, matched })}</p>
      {unchanged > 0 && <p className="quiet">{t('bulk.unchanged', { count: unchanged })}</p>}
      {failed > 0 && (
        <>
          <p className="problem">{t('bulk.failed', { count: failed })}</p>
          <ul className="bulk-errors">
            {errors.slice(0, shownErrors).map(({ id, message }) => (
              <li key={id}>
                <b>{id}</b> {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
