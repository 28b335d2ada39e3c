import { useComputedColorScheme } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pictureQuery, type Process } from '../../api/processes.ts'
import { Loading } from '../../parts/states.tsx'
import { readPlace } from './read-place.ts'

interface ProcessPictureProps {
  readonly model: string
  readonly record: number
  readonly process: Process
}

/** The diagram of a process with what is done, where it waits and what failed; it scrolls to where it is. */
export function ProcessPicture({ model, record, process }: ProcessPictureProps) {
  const { t } = useTranslation()
  const theme = useComputedColorScheme('light')
  const { data: svg, error } = useQuery({
    ...pictureQuery(model, record, process.id, theme),
    placeholderData: keepPreviousData,
  })
  const address = useAddress(svg)
  const scroller = useRef<HTMLDivElement>(null)
  if (error && svg === undefined) return null
  if (svg === undefined || address === undefined) return <Loading lines={1} height={120} />
  const { width, x, y } = readPlace(svg)
  function showPlace(): void {
    const area = scroller.current
    if (!area || x === undefined || y === undefined) return
    area.scrollTo({
      left: x * area.scrollWidth - area.clientWidth / 2,
      top: y * area.scrollHeight - area.clientHeight / 2,
    })
  }
  return (
    <div
      ref={scroller}
      className="process-picture"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys too
      tabIndex={0}
      role="group"
      aria-label={t('process.picture', { name: process.template.name })}
    >
      <img
        src={address}
        alt={t('process.picture', { name: process.template.name })}
        style={{ inlineSize: width, minInlineSize: width * 0.75 }}
        onLoad={showPlace}
      />
    </div>
  )
}

/** An address of a picture that was read already: an image sends no session of its own. */
function useAddress(svg: string | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (svg === undefined) return undefined
    const made = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
    // oxlint-disable-next-line react/set-state-in-effect -- an address is made and taken back outside of React
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [svg])
  return address
}
