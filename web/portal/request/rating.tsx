import { Button, Textarea } from '@mantine/core'
import Star from 'lucide-react/icons/star'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../../api/failures.ts'
import { type PortalRequest, useRate } from '../../api/portal.ts'

const five = [1, 2, 3, 4, 5] as const

/** Says how well it went, by stars and words; what was said may be changed until the request is reopened. */
export function Rating({ request: { id, rating } }: { readonly request: PortalRequest }) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const rate = useRate(id)
  const [isChanging, setChanging] = useState(rating === null)
  const [stars, setStars] = useState(rating?.stars ?? 0)
  const [comment, setComment] = useState(rating?.comment ?? '')
  if (rating && !isChanging)
    return (
      <section className="portal-card rating" aria-label={t('portal.rated')}>
        <h2>{t('portal.rated')}</h2>
        <p role="img" aria-label={t('portal.stars', { count: rating.stars })} className="stars">
          {five.map((one) => (
            <Star key={one} size={22} className={one <= rating.stars ? 'star is-on' : 'star'} aria-hidden />
          ))}
        </p>
        {rating.comment && <p className="said-text">{rating.comment}</p>}
        <Button variant="default" onClick={() => setChanging(true)}>
          {t('portal.changeRating')}
        </Button>
      </section>
    )

  function send(event: FormEvent): void {
    event.preventDefault()
    rate.mutate({ stars, comment: comment.trim() || null }, { onSuccess: () => setChanging(false) })
  }
  return (
    <form className="portal-card rating" onSubmit={send}>
      <fieldset className="stars">
        <legend>{t('portal.rate')}</legend>
        {five.map((one) => (
          <label key={one} className={one <= stars ? 'star is-on' : 'star'}>
            <input
              type="radio"
              name="stars"
              value={one}
              checked={one === stars}
              onChange={() => setStars(one)}
              aria-label={t('portal.stars', { count: one })}
            />
            <Star size={28} aria-hidden />
          </label>
        ))}
      </fieldset>
      {stars > 0 && (
        <>
          <Textarea
            label={t('portal.words')}
            autosize
            minRows={2}
            maxRows={8}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
          />
          <Button type="submit" loading={rate.isPending}>
            {t('portal.sendRating')}
          </Button>
        </>
      )}
      {rate.error && (
        <p className="problem" role="alert">
          {messageOf(rate.error)}
        </p>
      )}
    </form>
  )
}
