/**
 * Words of addresses that tell what a page is, in English, German, French, Spanish, Italian, Dutch, and Swedish.
 * Compared without hyphens, underscores, and accents: `sign_in` and `sign-in` are `signin`.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** As the words are written here; also without the extension of a file, and without the number of PrestaShop's pages. */
export function plainWord(segment: string): string {
  let text = segment.slice(0, 200);
  if (text.includes('%')) {
    try {
      text = decodeURIComponent(text);
    } catch {
      // A stray percent sign: the words below have none.
    }
  }
  return text
    .toLowerCase()
    .replace(/\.(?:php|html?|aspx?|jsp|cfm)$/, '')
    .replace(/^\d{1,5}-([a-z])/, '$1')
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f_-]/g, '');
}

export const ACCOUNT = words(`
  cart basket shoppingcart shoppingbasket shoppingbag warenkorb einkaufswagen einkaufskorb panier carrito cesta carrello winkelwagen winkelmandje
  varukorg checkout onepagecheckout kasse zurkasse caisse pago pagar finalizarcompra afrekenen ordercomplete orderreceived
  orderconfirmation ordertracking trackorder bestellung bestellbestaetigung bestellverfolgung commande pedido ordine bestelling checkouts suividecommande
  account myaccount customeraccount useraccount konto meinkonto kundenkonto benutzerkonto moncompte micuenta compte cuenta mioaccount mijnaccount mittkonto
  myorders orderhistory meinebestellungen mescommandes mispedidos imieiordini mijnbestellingen
  wishlist merkzettel wunschliste wunschzettel listedesouhaits listadedeseos listadesideri verlanglijst
  login logon signin logout logoff signout register registration signup anmelden anmeldung abmelden registrieren registrierung connexion deconnexion
  inscription iniciarsesion cerrarsesion registrarse registro accedi accesso registrati inloggen uitloggen registreren aanmelden
  lostpassword forgotpassword forgottenpassword resetpassword passwordreset passwortvergessen passwortzuruecksetzen motdepasseoublie recuperarcontrasena
  passwordrecovery recuperapassword wachtwoordvergeten
  unsubscribe abbestellen desinscription wplogin wpadmin wpsignup admin administrator dashboard
  thankyou thanks danke vielendank merci gracias grazie bedankt
  usercp
`);

export const SEARCH = words(`
  search searchresult searchresults sitesearch catalogsearch suche suchen suchergebnis suchergebnisse recherche rechercher resultatsderecherche
  buscar busqueda buscador resultadosdebusqueda cerca ricerca risultatiricerca risultatidiricerca zoeken zoekresultaten sok soek
`);

/** These mean a legal page wherever they stand. */
export const LEGAL = words(`
  privacypolicy privacynotice privacystatement dataprotection datenschutz datenschutzerklaerung datenschutzhinweise datenschutzhinweis
  datenschutzbestimmungen datenschutzrichtlinie imprint impressum impressumdatenschutz termsofservice termsandconditions termsconditions termsofuse
  termsofsale termsservice generaltermsandconditions agb agbs allgemeinegeschaeftsbedingungen nutzungsbedingungen haftungsausschluss legalnotice
  legalnotices legalinformation rechtliches rechtlichehinweise cookiepolicy cookiepolicyeu cookienotice cookierichtlinie cookierichtlinieeu cookieerklaerung
  mentionslegales mentionlegale politiquedeconfidentialite politiqueconfidentialite conditionsgenerales conditionsgeneralesdevente
  conditionsgeneralesdutilisation conditionsdutilisation conditionsutilisation cgv cgu politiquedecookies politiquedecookiesue avisolegal politicadeprivacidad
  politicaprivacidad politicadecookies terminosycondiciones condicionesgenerales condicionesdeuso condicionesdeventa notelegali informativaprivacy
  informativasullaprivacy informativacookie terminiecondizioni terminidiservizio condizionidivendita condizionigenerali privacybeleid privacyverklaring
  algemenevoorwaarden cookiebeleid cookieverklaring widerruf widerrufsrecht widerrufsbelehrung integritetspolicy kopvillkor
`);

/** These mean one only at the top of a site: bakers and universities have pages on cookies, terms, and privacy. */
export const LEGAL_AT_TOP = words(
  'privacy terms tos tou legal disclaimer cookie cookies privacidad confidentialite conditions condiciones condizioni voorwaarden villkor',
);
export const TOP_FOLDERS = words(
  'pages page p info infos information about company service content cms site legal shop customerservice footer',
);

/** Of `/legal/…` and `/policies/…`. */
export const LEGAL_ENDING =
  /(?:policy|terms|agreement|notice|addendum|statement|dpa|subprocessors|contact-information|terms-of-\w{3,10})$/;

export const ARCHIVE = words(`
  tag tags tagged producttag author authors autor autoren verfasser auteur auteurs autore autori schlagwort schlagwoerter schlagworte etiqueta etiquetas
  motcle motscles trefwoord trefwoorden
`);

export const LIST = words(`
  category categories productcategory productcategories kategorie kategorien produktkategorie categorie categoria categorias collections
`);

/** Followed by what a list is sorted or narrowed by. */
export const NARROWING = words('sort sortby orderby facet facets filterby');
/** Folders of people who wrote something: forums keep them out. */
export const PROFILES = words('u user users member members profile profiles profil memberlist');
/** For programs, not for people. */
export const ENDPOINTS = words('cgibin wpjson xmlrpc cdncgi ajax graphql wpcontent wpincludes');

export const TWIN = words(
  'amp print printable printversion imprimer imprimir drucken druckversion druckansicht stampa afdrukken',
);

/** Folders of texts and goods: a word below them is a subject, not what the page does. */
export const SUBJECTS = words(`
  blog blogs news newsroom article articles artikel post posts story stories magazine magazin ratgeber journal press presse actualites noticias notizie nieuws
  aktuelles insights resources knowledge knowledgebase kb wiki glossary glossar lexikon docs doc documentation dokumentation manual handbook reference api
  learn academy tutorial tutorials guide guides guia guias how howto help hilfe aide ayuda aiuto support faq faqs course courses kurse
  ref sdk spec man t topic topics thread threads question questions discussion discussions issues comments lesson lessons chapter developer developers platform
  recipe recipes rezept rezepte recette recettes receta recetas ricetta ricette recepten
  product products produkt produkte produit produits producto productos prodotto prodotti producten feature features funktionen solution solutions loesungen
  service services leistungen servicios servizi diensten industries integration integrations usecases casestudies practiceareas template templates
  plugins plugin extensions apps themes jobs careers karriere
`);

/** Folders of dated texts, below which a year alone is an archive. */
export const DATED = words(`
  blog blogs news newsroom archive archives archiv archivo archivio archief posts articles artikel journal press presse magazine magazin actualites noticias
  notizie nieuws aktuelles weblog stories
`);

/** Words of routes in parameters (`?route=account/login`, `?controller=cart`). */
export const ROUTES = words(
  'route controller action act do page view option mod module task cmd pg area content site seite',
);

/** Parameters of links that act. */
export const ACTIONS = words(
  'add-to-cart add_to_cart add-to-wishlist add_to_wishlist replytocom like_comment share redirect_to return_to returnurl return_url redirecturl',
);
export const QUERIES = words(
  's q query search suche suchbegriff keyword keywords searchterm search_query searchquery search_keywords recherche buscar busqueda cerca zoek zoekterm squery',
);
export const PAGES = words(
  'page paged pg pageno page_no pagenum page_num pagenumber page_number pageindex page_index currentpage current_page seite pagina sida blz product-page',
);
export const FOLDERS_OF_PAGES = words('page paged pg seite pagina sida side strona');
/** Of calendars. */
export const DATES = words('month monat mois mes mese date datum tribe-bar-date eventdisplay');
/** They count entries, not pages. */
export const OFFSETS = words('start offset skip');
export const TWINS = words('amp noamp print printable printview output outputtype format m mobile mobil tmpl');
export const TWIN_VALUES = words('amp print printable pdf mobile component');
export const LANGUAGES = words('lang language locale hl l lng sprache langue idioma lingua taal');

export const FACETS =
  /^(?:sort(?:_?by|ing|_?order|_?dir(?:ection)?|ierung)?|order(?:_?by|_?dir)?|dir(?:ection)?|tri|trier|ordenar|ordina|sorteren|sorteer|filter.*|f\[.*|facet.*|refine.*|colou?rs?|farben?|couleurs?|colore|kleur|sizes?|groess?e|taille|talla|taglia|maat|brands?|marken?|marque|marca|merk|manufacturer|hersteller|material|style|price.*|preis.*|prix|precio|prezzo|prijs|(?:min|max)[_-]?(?:price|preis|prix)|rating.*|availability|instock|in_stock|on_sale|view|layout|per[_-]?page|page_?size|results_?per_?page|limit|product_list_.*|pa_.*|attribute.*|properties|highlight|hilit|oldid|diff)$/;
