/** Words of four letters and more that Muster's own log, texts and files are made of. */
const own = new Set(
  `
abort about above absence accept accepts access acknowledge acknowledged activate active activities acts actual address addresses adopt
after again agent ahead alert alerts aliases allow allows alone already also among anew another answer answered answering answers anybody
anything apart appimage application applications apply apps archive arrived aside asked asking asks assets attach attempt authenticate
authorities authority authorization autostart availability available away back background backs backslashes balance base basic basis
bearer became because been before began begin beginning begins begun behind being bell belong belongs below beta between beyond blind body
boolean both bounds breaks bridge brings broke broken brought browser browsers buffer build bundle burned busiest busy bytes cache
calendar call called came cannot capabilities capacity carry case categories caught ceiling cell cells cent certainty certificate chain
change changed changes channel characters charset check checks checksum child choice choose chosen chromium claim claimants claims clean
click client clipboard clock close closed code codes collection column columns come comes comfortable coming comment common compact
company compare compared comparison complete computer config confirmed connect connected connecting connection connections connects
consented console const content contents context contract control cookie copied copy core correct cost costs could count counts coverage
covers created credential credentials critical cross ctrl custom damaged dark data database date days dbus debug deeply default delay
deleted demo density deny derived desc desktop dest destroy destroyed detail details development device devices devtools diagnostics dial
dialog differ differs digest digit direction disable disconnect disconnected disk dismiss divider document does done dotted doubt doubtful
doubts down download downloaded downloading downloads dpkg drawn drift drop dropped drops duration each edges electron else elsewhere
email empty enabled ended endpoint ends enter entries entry epoch errcode error errors estate estimate event events ever every everything
evidence except exception exec exhausted exists exit expanded expected expects expired explain explains export external extra extract
extracted extras fact failed failure false fault faults feed fetch fetched fflate field fields figure figures file files filled filter
filters find fingerprint finish firewall first fixed flapping flaps fleet folder followed font fonts forbidden forecast forget fork format
former found four fourth frame freedesktop from full function further gauges generic gimu give given goes going gone good grapheme graphql
grew ground grown guess half hand handle handled handler handlers handover handshake happened happening happens hard hardware hash have
head headers heads health heap heard heartbeat height held help helper here hicolor hidden hide high history hold holding holds honest
host hostname hosts hour hours html http https icon icons idle ignore ignored image immutable import impossible incident incidents
includes index info inner input inside install installed installer installs instance instead interactive internal intl into inventory
issued item items itself javascript join joined journal json keep keeps kept keychain keys keytar kind known knows laid lane large larger
largest last lasting lasts late later latest lead leads learned least leave left legs length less lets level libraries library licence
licences lies lifetime light like likely limit line lines link links linux list listened literal little live load loaded loading local
localhost locate lock locked login logins long longer look looked looks loop lost made main major make maker manage manager manages
manifest many mark markdown marked marks match math maximize maximized mean meant meanwhile measured meeting members memory mend menu
message meta method mime minimised minor minute minutes missed missing mixed model models moment moments monitor monotonic month monthly
more most move moved moves much must muster mute name named names navigate need needs nested network never newer newest newline next
nobody node nodes nogpgcheck nonce none noninteractive normal nosniff note noted notes nothing notices notification notifications notified
notify nowhere nsis null number numeric oauth object octet offer offered offers office offline offset often older oldest omit once ones
online only open opened opener opening opens operator option options order origin other others otherwise outage outcome output outside
over overloaded pacer package packaged packages page pages paging parameters parent part partial parts passes passing password paste patch
patches path paths patience pause paused peak performance person pictures ping pipe pkexec place placeless places plain please plus points
policies policy pong port portal ports power preload preview price prices print printed prints private probe problem process profile
profiles program programs progress properties property protocol provider proxies proxy prune pseudonyms public publisher publishes pull
pulls queries query question queues quick quiet quit quits quotation quote quotes raise raised random reached reaches read readers reading
readings readonly ready real reason recent reconcile records recovered recovers redirect redirects reduce referrer refresh refusals refuse
refused region rejection rejects relaunch release released remaining remembered remove removed rename render renderer renewed reopened
replace replaced replacepkgs reply report request requests reserve reset resets resize resource resources response responsive rest restart
restarts resume resumed retry return returned reveal revoked rights role room rooms root rows rule rules running runs said same sanitized
save saved says sbin schema schemas scheme scope scratch screen scripts second seconds secret secrets secure security seeing seek seen
sees segment self send sends sent sentences separator server service services session sessions sets setting settings several severity
shape shapes share shared shell shift short shorter show shown shows shutdown side sight sighted sign signal signature signed silent
silica since site sites size skew skipped skips slashes sleeps slept slice slots slow small snooze snoozed socket sockets some something
soon sort sorted source space span spawn speaks split spoken stale stand standing stands start started starting state states statistics
status stay stays steady step still stop stopped stopping stops storage store stored storm strangers stream strict string strip structure
style styles subject subscribe subscription subscriptions succeed such support sure suspend switch switched sync system table tables take
taken takes tell tellings tells tenant tenantid tenants terminal terminate test tests text than that their them theme then there these
they third this those thread threads through thrown throws time timed timeout times title titles today together togglefullscreen token
told took total totals touched transferred transitions transport tray tree treeitem tried tries true trusted turn twice type typed typing
unchanged undefined under understand undici undo undone unexpected unheard unhide unknown unlock unlocked unmaximize unread unreadable
unref unresponsive unseen unsigned unsubscribe until update updated updater updates upgrade urgency urgent used user usual usually valid
value values variables vendor version versions view views visible vouch wait waited waiting waits wakes walk want wanted wants warn
warning watch watched watches weak webmanifest webview week weekly weigh weighed went were what whatever when where whereabouts whether
which while whoever whole whose width will window windows wipes wire with within without word words works worst would write written wrong
yaml year your yours zone zones zoom zypper
`.split(/\s+/u),
)

/**
 * Whether a name would be taken for something else in a text: it is shorter than four letters (of a script that writes by letters), a
 * short number, or made of Muster's own words alone. Replaced wherever it stands, it would spoil the text, and be told by what stands around it.
 */
export function isOrdinary(name: string): boolean {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const whole = words.join('')
  if (/^\p{N}*$/u.test(whole)) return whole !== '' && whole.length < 9
  return words.every((word) => own.has(word)) || (whole.length < 4 && /^[\p{Script=Latin}\p{N}]*$/u.test(whole))
}
