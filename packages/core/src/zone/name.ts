/** IANA names without a region; the list is closed. Intl also takes old names such as `PST`, which are no IANA names. */
const REGIONLESS = (
  'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong ' +
  'Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland ' +
  'Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu'
).split(' ')

const REGIONS = (
  'Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile Etc Europe Indian Mexico ' +
  'Pacific US'
).split(' ')

/** Names that IANA has withdrawn and Intl still takes. */
const WITHDRAWN = ['US/Pacific-New', 'Canada/East-Saskatchewan']

/** Words of IANA names that are not simply capitalised. */
const ODD_WORDS = new Map(
  (
    'es au of ACT BajaNorte BajaSur ComodRivadavia DeNoronha DumontDUrville EasterIsland GMT IN LHI McMurdo ' +
    'NSW UCT US UTC'
  )
    .split(' ')
    .map(word => [word.toLowerCase(), word]),
)

const LONGEST_NAME = 64

const spellWord = (word: string): string => {
  const lower = word.toLowerCase()
  return ODD_WORDS.get(lower) ?? lower.charAt(0).toUpperCase() + lower.slice(1)
}

/** How IANA would write a name given in any case, or undefined if it cannot be an IANA name. */
export function ianaSpelling(name: string): string | undefined {
  if (name.length > LONGEST_NAME) return undefined
  if (!name.includes('/')) return REGIONLESS.find(known => known.toLowerCase() === name.toLowerCase())
  const spelt = name.replace(/[A-Za-z]+/g, spellWord)
  const region = spelt.slice(0, spelt.indexOf('/'))
  return REGIONS.includes(region) && !WITHDRAWN.includes(spelt) ? spelt : undefined
}
