import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Show, shows } from './shows.ts'

interface TimelineFilterProps {
  readonly model: string
  readonly id: number
  readonly show: Show
  /** What the reader may not see is not offered. */
  readonly hidden: ReadonlySet<Show>
}

/** Narrows the timeline to a part of it. What is shown stands in the address. */
export function TimelineFilter({ model, id, show, hidden }: TimelineFilterProps) {
  const { t } = useTranslation()
  return (
    <nav className="timeline-filter" aria-label={t('timeline.filter')}>
      {shows
        .filter((one) => !hidden.has(one))
        .map((one) => (
          <Link
            key={one}
            to="/e/$model/$id"
            params={{ model, id: String(id) }}
            search={({ show: _former, ...others }) => (one === 'all' ? others : { ...others, show: one })}
            replace
            resetScroll={false}
            activeProps={{}}
            className={one === show ? 'timeline-show is-active' : 'timeline-show'}
            aria-current={one === show ? 'true' : undefined}
          >
            {t(`timeline.show_${one}`)}
          </Link>
        ))}
    </nav>
  )
}
