/** The optional script of the page: it filters the navigation, copies samples, and marks the current section. */
export const pageScript = `(() => {
  const search = document.querySelector('#search')
  const groups = [...document.querySelectorAll('nav .group')]
  const none = document.querySelector('#none')
  search.closest('.search').hidden = false

  const filter = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
    let found = 0
    for (const group of groups) {
      let inGroup = 0
      for (const item of group.querySelectorAll('li')) {
        const text = (item.dataset.search || item.textContent).toLowerCase()
        item.hidden = !words.every((word) => text.includes(word))
        if (!item.hidden) inGroup += 1
      }
      group.hidden = inGroup === 0
      found += inGroup
    }
    none.hidden = found > 0
  }
  search.addEventListener('input', filter)
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { search.value = ''; filter() }
    if (event.key === 'Enter') document.querySelector('nav .group:not([hidden]) li:not([hidden]) a')?.click()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || /^(input|textarea|select)$/i.test(event.target.tagName)) return
    event.preventDefault()
    search.focus()
  })

  for (const sample of document.querySelectorAll('.sample')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.setAttribute('aria-label', 'Copy ' + sample.querySelector('figcaption').textContent.toLowerCase())
    button.addEventListener('click', async () => {
      const code = sample.querySelector('code')
      try {
        await navigator.clipboard.writeText(code.textContent)
        button.textContent = 'Copied'
      } catch {
        getSelection().selectAllChildren(code)
        button.textContent = 'Selected'
      }
      setTimeout(() => { button.textContent = 'Copy' }, 1500)
    })
    sample.querySelector('figcaption').append(button)
  }

  const links = new Map([...document.querySelectorAll('nav a')].map((link) => [link.hash.slice(1), link]))
  let current
  const mark = (link) => {
    if (!link || link === current) return
    current?.removeAttribute('aria-current')
    link.setAttribute('aria-current', 'true')
    // On a narrow screen the bar shows sections only.
    const shown = link.offsetParent ? link : link.closest('.group')
    shown.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    current = link
  }
  const watch = new IntersectionObserver((entries) => {
    const entry = entries.findLast(({ isIntersecting }) => isIntersecting)
    if (entry) mark(links.get(entry.target.id))
  }, { rootMargin: '-10% 0px -80% 0px' })
  for (const id of links.keys()) {
    const target = document.getElementById(id)
    if (target) watch.observe(target)
  }
})()`
