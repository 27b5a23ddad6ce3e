/** The schema.org types and their hierarchy: `Parent: Child Child; Parent: …`. */
const CHILDREN = `
Accommodation: Apartment CampingPitch HotelRoom House MeetingRoom Room Suite; Action: AcceptAction AchieveAction ActivateAction AgreeAction AllocateAction
ApplyAction AssessAction AssignAction AuthenticateAction AuthorizeAction BefriendAction BookmarkAction CheckAction ChooseAction CommunicateAction
ConsumeAction ControlAction CookAction CreateAction DeactivateAction DisagreeAction DiscoverAction DislikeAction DrawAction EndorseAction FilmAction
FindAction FollowAction IgnoreAction InteractAction JoinAction LeaveAction LikeAction LoginAction LoseAction MarryAction MoveAction OrganizeAction PaintAction
PhotographAction PlanAction PlayAction ReactAction RegisterAction RejectAction ResetPasswordAction ResumeAction ReviewAction SearchAction SeekToAction
SolveMathAction SubscribeAction SuspendAction TieAction TrackAction TradeAction TransferAction UnRegisterAction UpdateAction WantAction WinAction WriteAction;
AggregateRating: EmployerAggregateRating; AnatomicalStructure: Artery Bone BrainStructure Joint Ligament LymphaticVessel Muscle Nerve Vein Vessel; Article:
AdvertiserContentArticle MedicalScholarlyArticle NewsArticle Report SatiricalArticle ScholarlyArticle SocialMediaPosting TechArticle; Audience:
BusinessAudience EducationalAudience MedicalAudience PeopleAudience Researcher; AudioObject: AudioObjectSnapshot Audiobook; BankAccount: DepositAccount;
BioChemEntity: ChemicalSubstance Gene MolecularEntity Protein; Book: Audiobook SequentialArt; BroadcastChannel: AMRadioChannel FMRadioChannel RadioChannel
TelevisionChannel; BroadcastService: RadioBroadcastService; CategoryCode: MedicalCode; Certification: DeclarationOfConformity DigitalProductPassport
EnvironmentalProductDeclaration; ChooseAction: VoteAction; CivicStructure: Airport Aquarium Beach BoatTerminal Bridge BuddhistTemple BusStation BusStop
Campground CatholicChurch Cemetery Church CityHall Courthouse Crematorium DefenceEstablishment EducationalOrganization Embassy EventVenue FireStation
GovernmentBuilding HinduTemple Hospital LegislativeBuilding Mosque MovieTheater Museum MusicVenue Park ParkingFacility PerformingArtsTheater PlaceOfWorship
Playground PoliceStation PublicToilet RVPark StadiumOrArena SubwayStation Synagogue TaxiStand TrainStation Zoo; Clip: MovieClip RadioClip TVClip
VideoGameClip; Collection: ProductCollection; ComicStory: ComicCoverArt; Comment: Answer CorrectionComment Question; CommunicateAction: AskAction
CheckInAction CheckOutAction CommentAction InformAction InviteAction ReplyAction ShareAction; ConstraintNode: StatisticalVariable; ConsumeAction: DrinkAction
EatAction InstallAction ListenAction PlayGameAction ReadAction UseAction ViewAction WatchAction WearAction; ContactPoint: PostalAddress; CreativeWork:
AmpStory ArchiveComponent Article Atlas Blog Book Certification Chapter Claim Clip Code Collection ComicStory Comment Conversation Course CreativeWorkSeason
CreativeWorkSeries Credential DataCatalog Dataset DefinedTermSet Diet DigitalDocument Drawing Episode ExercisePlan Game Guide HealthTopicContent HowTo
HowToDirection HowToSection HowToStep HowToTip HyperToc HyperTocEntry LearningResource Legislation Manuscript Map MathSolver MediaObject MediaReviewItem Menu
MenuSection Message Movie MusicComposition MusicPlaylist MusicRecording Painting Photograph Play Poster PublicationIssue PublicationVolume Quotation Review
Sculpture Season SheetMusic ShortStory SoftwareApplication SoftwareSourceCode SpecialAnnouncement Statement TVSeason TVSeries Thesis VisualArtwork WebContent
WebPage WebPageElement WebSite; CreativeWorkSeason: PodcastSeason RadioSeason TVSeason; CreativeWorkSeries: BookSeries ComicSeries MovieSeries Newspaper
Periodical PodcastSeries RadioSeries TVSeries VideoGameSeries; Credential: EducationalOccupationalCredential; DataFeed: CompleteDataFeed; Dataset: DataFeed;
DefinedTerm: CategoryCode; DefinedTermSet: CategoryCodeSet; DigitalDocument: NoteDigitalDocument PresentationDigitalDocument SpreadsheetDigitalDocument
TextDigitalDocument; DoseSchedule: MaximumDoseSchedule RecommendedDoseSchedule ReportedDoseSchedule; EducationalOccupationalProgram: WorkBasedProgram;
EducationalOrganization: CollegeOrUniversity ElementarySchool HighSchool MiddleSchool Preschool School; Enumeration: ActionStatusType AdultOrientedEnumeration
BoardingPolicyType BodyMeasurementTypeEnumeration BookFormatType BusinessEntityType BusinessFunction CarUsageType CertificationStatusEnumeration
ContactPointOption DENonprofitType DayOfWeek DeliveryMethod DigitalDocumentPermissionType DigitalPlatformEnumeration DrugCostCategory DrugPregnancyCategory
DrugPrescriptionStatus EUEnergyEfficiencyEnumeration EnergyEfficiencyEnumeration EnergyStarEnergyEfficiencyEnumeration EventAttendanceModeEnumeration
EventStatusType FulfillmentTypeEnumeration GameAvailabilityEnumeration GamePlayMode GameServerStatus GenderType GovernmentBenefitsType HealthAspectEnumeration
IPTCDigitalSourceEnumeration ITNonprofitType IncentiveQualifiedExpenseType IncentiveStatus IncentiveType InfectiousAgentClass ItemAvailability
ItemListOrderType LegalForceStatus LegalValueLevel MapCategoryType MeasurementMethodEnum MeasurementTypeEnumeration MediaEnumeration
MediaManipulationRatingEnumeration MedicalAudienceType MedicalDevicePurpose MedicalEnumeration MedicalEvidenceLevel MedicalImagingTechnique
MedicalObservationalStudyDesign MedicalProcedureType MedicalSpecialty MedicalStudyStatus MedicalTrialDesign MedicineSystem MerchantReturnEnumeration
MusicAlbumProductionType MusicAlbumReleaseType MusicReleaseFormatType NLNonprofitType NonprofitType OfferItemCondition OrderStatus PaymentMethodType
PaymentStatusType PhysicalActivityCategory PhysicalExam PriceComponentTypeEnumeration PriceTypeEnumeration ProductReturnEnumeration PurchaseType
QualitativeValue RefundTypeEnumeration ReservationStatusType RestrictedDiet ReturnFeesEnumeration ReturnLabelSourceEnumeration ReturnMethodEnumeration
RsvpResponseType SizeGroupEnumeration SizeSystemEnumeration Specialty StatusEnumeration TierBenefitEnumeration UKNonprofitType USNonprofitType WarrantyScope
WearableMeasurementTypeEnumeration WearableSizeGroupEnumeration WearableSizeSystemEnumeration; Episode: PodcastEpisode RadioEpisode TVEpisode; Event:
BusinessEvent ChildrensEvent ComedyEvent ConferenceEvent CourseInstance DanceEvent DeliveryEvent EducationEvent EventSeries ExhibitionEvent Festival FoodEvent
Hackathon LiteraryEvent MusicEvent PerformingArtsEvent PublicationEvent SaleEvent ScreeningEvent SocialEvent SportsEvent TheaterEvent UserBlocks UserCheckins
UserComments UserDownloads UserInteraction UserLikes UserPageVisits UserPlays UserPlusOnes UserTweets VisualArtsEvent; FinancialProduct: BankAccount
CurrencyConversionService InvestmentOrDeposit LoanOrCredit PaymentCard PaymentService; FinancialService: AccountingService AutomatedTeller BankOrCreditUnion
InsuranceAgency; FoodEstablishment: Bakery BarOrPub Brewery CafeOrCoffeeShop Distillery FastFoodRestaurant IceCreamShop Restaurant Winery; Game: VideoGame;
GeoShape: GeoCircle; Grant: MonetaryGrant; House: SingleFamilyResidence; HowTo: Recipe; HowToItem: HowToSupply HowToTool; ImageObject: Barcode
ImageObjectSnapshot; InformAction: ConfirmAction RsvpAction; InsertAction: AppendAction PrependAction; InstantaneousEvent: Error; InvestmentOrDeposit:
BrokerageAccount DepositAccount InvestmentFund; ItemList: BreadcrumbList HowToSection HowToStep OfferCatalog; LearningResource: Course Quiz Syllabus;
Legislation: LegislationObject; ListItem: HowToDirection HowToItem HowToSection HowToStep HowToTip; LoanOrCredit: CreditCard MortgageLoan; LocalBusiness:
AdultEntertainment AmusementPark AnimalShelter ArchiveOrganization ArtGallery Attorney Audiology AutoBodyShop AutoDealer AutoPartsStore AutoRental AutoRepair
AutoWash AutomotiveBusiness BeautySalon BikeStore BookStore BowlingAlley Casino ChildCare ClothingStore ComedyClub CommunityHealth ComputerStore
ConvenienceStore DaySpa Dentist DepartmentStore Dermatology DietNutrition DryCleaningOrLaundry Electrician ElectronicsStore Emergency EmergencyService
EmploymentAgency EntertainmentBusiness ExerciseGym FinancialService FireStation Florist FoodEstablishment FurnitureStore GardenStore GasStation
GeneralContractor Geriatric GolfCourse GovernmentOffice GroceryStore Gynecologic HVACBusiness HairSalon HardwareStore HealthAndBeautyBusiness HealthClub
HobbyShop HomeAndConstructionBusiness HomeGoodsStore Hospital HousePainter InternetCafe JewelryStore LegalService Library LiquorStore Locksmith
LodgingBusiness MedicalBusiness MedicalClinic MensClothingStore Midwifery MobilePhoneStore MotorcycleDealer MotorcycleRepair MovieRentalStore MovieTheater
MovingCompany MusicStore NailSalon NightClub Notary Nursing Obstetric OfficeEquipmentStore Oncologic Ophthalmology Optician Optometric Otolaryngologic
OutletStore PawnShop Pediatric PetStore Pharmacy Physician Physiotherapy PlasticSurgery Plumber Podiatric PoliceStation PostOffice PrimaryCare
ProfessionalService Psychiatric PublicHealth PublicSwimmingPool RadioStation RealEstateAgent RecyclingCenter RoofingContractor SelfStorage ShoeStore
ShoppingCenter SkiResort SportingGoodsStore SportsActivityLocation SportsClub StadiumOrArena Store TattooParlor TelevisionStation TennisComplex TireShop
TouristInformationCenter ToyStore TravelAgency WholesaleStore; LodgingBusiness: BedAndBreakfast Campground Hostel Hotel Motel Resort SkiResort VacationRental;
MediaObject: 3DModel AmpStory AudioObject DataDownload ImageObject LegislationObject MusicVideoObject TextObject VideoObject; MedicalAudience: Patient;
MedicalClinic: CovidTestingFacility; MedicalCondition: InfectiousDisease MedicalSignOrSymptom; MedicalEntity: AnatomicalStructure AnatomicalSystem
ApprovedIndication DDxElement Diet DoseSchedule DrugClass DrugCost DrugLegalStatus DrugStrength LifestyleModification MedicalCause MedicalCode
MedicalCondition MedicalConditionStage MedicalContraindication MedicalDevice MedicalGuideline MedicalIndication MedicalIntangible MedicalProcedure
MedicalRiskEstimator MedicalRiskFactor MedicalStudy MedicalTest PhysicalActivity PreventionIndication Substance SuperficialAnatomy TreatmentIndication;
MedicalGuideline: MedicalGuidelineContraindication MedicalGuidelineRecommendation; MedicalOrganization: Dentist DiagnosticLab Hospital MedicalClinic Pharmacy
Physician VeterinaryCare; MedicalProcedure: DiagnosticProcedure PalliativeProcedure PhysicalExam SurgicalProcedure TherapeuticProcedure; MedicalRiskEstimator:
MedicalRiskCalculator MedicalRiskScore; MedicalSign: VitalSign; MedicalSignOrSymptom: MedicalSign MedicalSymptom; MedicalStudy: MedicalObservationalStudy
MedicalTrial; MedicalTest: BloodTest ImagingTest MedicalTestPanel PathologyTest; MedicalTherapy: OccupationalTherapy PalliativeProcedure PhysicalTherapy
RadiationTherapy RespiratoryTherapy; Message: EmailMessage; MoveAction: ArriveAction DepartAction TravelAction; MusicPlaylist: MusicAlbum MusicRelease;
NewsArticle: AnalysisNewsArticle AskPublicNewsArticle BackgroundNewsArticle OpinionNewsArticle ReportageNewsArticle ReviewNewsArticle; Offer: AggregateOffer
OfferForLease OfferForPurchase; OnlineStore: OnlineMarketplace; Organization: Airline Consortium Cooperative Corporation DanceGroup EducationalOrganization
FundingAgency FundingScheme GovernmentOrganization LibrarySystem LocalBusiness MedicalOrganization MusicGroup NGO NewsMediaOrganization OnlineBusiness
OnlineStore PerformingGroup PoliticalParty Project ResearchOrganization ResearchProject SearchRescueOrganization SportsOrganization TheaterGroup WorkersUnion;
PaymentCard: CreditCard; PaymentMethod: PaymentCard PaymentService; PeopleAudience: MedicalAudience ParentAudience; Permit: GovernmentPermit; Person: Patient;
PhysicalActivity: ExercisePlan; Physician: IndividualPhysician PhysiciansOffice; Place: Accommodation AdministrativeArea BodyOfWater Canal City CivicStructure
Continent Country DefinedRegion LakeBodyOfWater Landform LandmarksOrHistoricalBuildings LocalBusiness Mountain OceanBodyOfWater Pond Reservoir Residence
RiverBodyOfWater SchoolDistrict SeaBodyOfWater State TouristAttraction TouristDestination Volcano Waterfall; PlanAction: CancelAction ReserveAction
ScheduleAction; PlayAction: ExerciseAction PerformAction; PriceSpecification: CompoundPriceSpecification DeliveryChargeSpecification
PaymentChargeSpecification UnitPriceSpecification; Product: DietarySupplement Drug IndividualProduct ProductCollection ProductGroup ProductModel SomeProducts
Vehicle; PropertyValue: LocationFeatureSpecification; PublicationEvent: BroadcastEvent OnDemandEvent; PublicationIssue: ComicIssue; QualitativeValue: BedType
DriveWheelConfigurationValue SizeSpecification SteeringPositionValue; QuantitativeValue: Observation; QuantitativeValueDistribution:
MonetaryAmountDistribution; Rating: AggregateRating EndorsementRating; Reservation: BoatReservation BusReservation EventReservation FlightReservation
FoodEstablishmentReservation LodgingReservation RentalCarReservation ReservationPackage TaxiReservation TrainReservation; Residence: ApartmentComplex
GatedResidenceCommunity; Review: ClaimReview CriticReview EmployerReview MediaReview Recommendation ReviewNewsArticle UserReview; Service: BroadcastService
CableOrSatelliteService FinancialProduct FoodService GovernmentService Taxi TaxiService WebAPI; SocialMediaPosting: BlogPosting DiscussionForumPosting
LiveBlogPosting; SoftwareApplication: MobileApplication OperatingSystem RuntimePlatform VideoGame WebApplication; SportsOrganization: SportsTeam; Substance:
DietarySupplement Drug; TechArticle: APIReference; TherapeuticProcedure: MedicalTherapy PsychologicalTreatment; Thing: Action ActionAccessSpecification
AlignmentObject Audience BedDetails BioChemEntity Brand BroadcastChannel BroadcastFrequencySpecification CDCPMDRecord Class ComputerLanguage ConstraintNode
ContactPoint CreativeWork CreativeWorkSeries DataFeedItem DatedMoneySpecification DefinedRegion DefinedTerm DeliveryTimeSettings Demand
DigitalDocumentPermission EducationalOccupationalProgram EnergyConsumptionDetails EngineSpecification EntryPoint Enumeration Event EventSeries
ExchangeRateSpecification FinancialIncentive FloorPlan GameServer GeoCoordinates GeoShape GeospatialGeometry Grant HealthInsurancePlan
HealthPlanCostSharingSpecification HealthPlanFormulary HealthPlanNetwork InstantaneousEvent Intangible InteractionCounter Invoice ItemList JobPosting Language
ListItem MediaSubscription MedicalEntity MemberProgram MemberProgramTier MenuItem MerchantReturnPolicy MerchantReturnPolicySeasonalOverride MonetaryAmount
NutritionInformation Observation Occupation OccupationalExperienceRequirements Offer OfferShippingDetails OpeningHoursSpecification Order OrderItem
Organization OwnershipInfo ParcelDelivery PaymentMethod Permit Person Place PostalCodeRangeSpecification PriceSpecification Product ProductReturnPolicy
ProgramMembership Property PropertyValue PropertyValueSpecification QuantitativeValue QuantitativeValueDistribution Rating RepaymentSpecification Reservation
Schedule Seat Series Service ServiceChannel ServicePeriod ShippingConditions ShippingDeliveryTime ShippingRateSettings ShippingService SpeakableSpecification
StatisticalPopulation StructuredValue StupidType Taxon Ticket Trip TypeAndQuantityNode VirtualLocation WarrantyPromise; TradeAction: BuyAction OrderAction
PayAction PreOrderAction QuoteAction RentAction SellAction TipAction; TransferAction: BorrowAction DonateAction DownloadAction GiveAction LendAction
MoneyTransfer ReceiveAction ReturnAction SendAction TakeAction; Trip: BoatTrip BusTrip Flight TouristTrip TrainTrip; UpdateAction: AddAction DeleteAction
InsertAction ReplaceAction; Vehicle: BusOrCoach Car Motorcycle MotorizedBicycle; VideoObject: VideoObjectSnapshot; VisualArtwork: ComicCoverArt CoverArt
SequentialArt; WebPage: AboutPage CheckoutPage CollectionPage ContactPage FAQPage ImageGallery ItemPage MediaGallery MedicalWebPage ProfilePage QAPage
RealEstateListing SearchResultsPage VideoGallery; WebPageElement: SiteNavigationElement Table WPAdBlock WPFooter WPHeader WPSideBar
`;

/** Data types rather than things, but used as types in places. */
const DATA_TYPES =
  'Boolean CssSelectorType Date DateTime Float Integer Number PronounceableText Text Time URL XPathType False True';

const parents = new Map<string, string[]>([
  ['Thing', []],
  ...DATA_TYPES.split(' ').map((type): [string, string[]] => [type, []]),
]);
for (const row of CHILDREN.split(';')) {
  const [parent = '', ...children] = row.trim().split(/:?\s+/);
  for (const child of children) parents.set(child, [...(parents.get(child) ?? []), parent]);
}

/** Case-sensitive, as schema.org is. */
export function isSchemaType(type: string): boolean {
  return parents.has(type);
}

/** Whether a type is the other one or a subtype of it. */
export function isKindOf(type: string, ancestor: string): boolean {
  if (type === ancestor) return true;
  return (parents.get(type) ?? []).some((parent) => isKindOf(parent, ancestor));
}

/** The schema.org type that differs only in letter case, a common mistake; null if there is none. */
export function typeMeantBy(type: string): string | null {
  byLowerCase ??= new Map([...parents.keys()].reverse().map((known) => [known.toLowerCase(), known]));
  return byLowerCase.get(type.toLowerCase()) ?? null;
}

let byLowerCase: ReadonlyMap<string, string> | null = null;
