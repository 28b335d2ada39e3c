/**
 * Passwords that are common in published lists of leaked ones and long enough to be allowed. In lower case: passwords
 * are compared without their case.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
!qaz2wsx !qaz@wsx 00112233 01010101 0101010101 01011980 01011990 01012000 01234567 0123456789 02020202 0987654321 10101010 1010101010
10203040 1020304050 11110000 11111111a 11112222 1111aaaa 1111qqqq 112233112233 11223344 1122334455 112233445566 11223355 11235813 1123581321
12121212 121212121 1212121212 12131415 12301230 123012300 12312312 123123123 123123123a 123321123 123321123321 12341234 12344321 1234512345
123454321 1234554321 123456123456 123456654321 12345678 123456789 1234567890 1234567890- 1234567890a 1234567890q 1234567890qwertyuiop
1234567891 12345678910 123456789123 1234567899 123456789a 123456789k 123456789m 123456789q 123456789s 123456789z 12345678a 12345678q
1234567a 1234567q 123456aa 123456ab 123456abc 123456as 123456qwerty 123456zx 12345abc 12345asd 12345qwert 1234abcd 1234qwer 1234qwerasdf
123698745 1236987456 123abc123 123asd123 123qwe!@# 123qwe123 123qweasd 123qweasdzxc 123zxc123 12qwaszx 13131313 1313131313 13145201314
1314520a 14141414 141421356 147147147 14725836 147258369 147852369 14789632 15151515 159159159 159263487 159357159 159357456 159753123
159753456 1597534682 16161616 17171717 18181818 19191919 1a1a1a1a 1a2b3c4d 1a2s3d4f 1q2w3e4r 1q2w3e4r! 1q2w3e4r5t 1q2w3e4r5t6y
1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o0p 1qaz!qaz 1qaz1qaz 1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qaz@wsx 1qazxsw2 1qazxsw23edc 1qazzaq1
1qw23er4 1qw23er45t 1z2x3c4v 20202020 21212121 22446688 23232323 2468101214 24682468 25081988 25252525 25802580 258025802580 26262626
27272727 28282828 29292929 30303030 31313131 31415926 314159265 3141592653 3141592654 32323232 36363636 42424242 43214321 45454545 456456456
456789123 4815162342 50505050 51505150 520131400 52013141 5201314a 52525252 54321543 54545454 56565656 56789012 65432100 654321654321
67676767 69696969 74107410 741741741 74185296 741852963 753159852 75395128 753951456 7777777a 777888999 78787878 78945612 789456123
7894561230 789456789 789632145 789789789 80808080 85208520 852456852 852852852 86868686 87654321 876543210 88886666 89898989 90909090
951753456 951753852 963258741 963852741 96969696 987456321 98765432 987654321 9876543210 98765432a 98989898 99887766 9988776655 999888777
99998888 a1234567 a12345678 a123456789 a1234567890 a1a1a1a1 a1a2a3a4 a1b2c3d4 a1b2c3d4e5 a1s2d3f4 a1s2d3f4g5 a5201314 aa123456 aa12345678
aaa11111 aaa111222 aaa123123 aaa12345 aaaa1111 aaaaaaa1 aabbccdd abc111222 abc123123 abc12345 abc123456 abc1234567 abc123abc abc123def
abcabcabc abcd1111 abcd1234 abcd12345 abcd123456 abcd4321 abcdabcd abcde123 abcde12345 abcdef123 abcdefg1 abcdefg123 abcdefgh abcdefghi
abcdefghij access123 access14 admin123 admin123! admin1234 admin1234! admin12345 admin123456 admin2020 admin2021 admin2022 admin2023
admin2024 admin2025 admin2026 admin888 admin@123 adminadmin administrator administrator1 adminpass adobe123 adrian123 ajax1234 alejandra
alejandro aleksandr aleksandra alex1234 alexander alexander1 alexander2 alexandra alexandre amanda12 amanda123 america1 american amsterdam
anastasia andrew12 andrew123 andrey123 android1 android123 angel123 angel1234 angelbaby angelica angelina angelito angels123 anthony1
anthony12 anthony123 apple123 aquarius argentina arsenal1 arsenal12 arsenal123 arsenalfc as123456 asd123123 asd123456 asdasd123 asdasdasd
asdf1234 asdf12345 asdfasdf asdfasdfasdf asdfg123 asdfg12345 asdfgh123 asdfghjk asdfghjkl asdfghjkl1 asdfghjkl; asdfghjklm asdfjkl; asdfqwer
asdfzxcv asdqwe123 asdqwezxc ashley12 ashley123 august12 australia autumn12 autumn123 autumn2020 autumn2021 autumn2022 autumn2023 autumn2024
autumn2025 autumn2026 avengers azerty12 azerty123 azertyui azertyuiop azertyuiop123 baby1234 babyblue babyboy1 babyboy12 babydoll babyface
babygirl babygirl1 babygirl12 babygirl123 babylove banana12 banana123 bananas1 bangladesh barcelona barcelona1 barcelona123 baseball
baseball1 baseball12 baseball123 basketball basketball1 batman12 batman123 bayern123 beautiful beautiful1 benjamin benjamin1 berlin123
besiktas1 bigblack bigboy12 bigdaddy bigdaddy1 bigdick1 biggie12 biteme12 biteme123 blackcat blackdragon blackhawk blackjack blackout
blahblah blahblah1 blink123 blink182 blossom1 blue1234 blue12345 blueberry bluebird bluesky1 bmw12345 bond007! bonita123 bonjour1 bonjour123
boomer12 boomerang borussia brandon1 brandon12 brandon123 brasil123 brazil123 brewster brittany brooklyn brownie1 bubblegum bubbles1
buckeyes bulldog1 bulldogs bullshit bullshit1 buster12 buster123 butterfly butterfly1 butterfly123 camaro69 cameron1 campbell candy123
capricorn captain1 cardinals carlos123 caroline carpenter catch22! catfish1 catherine cavalier celtic123 celtic1888 champion champions
chandler changeit changeme changeme! changeme1 changeme123 changethis charizard charlie1 charlie12 charlie123 charlotte charlotte1 cheese12
cheese123 chelsea1 chelsea12 chelsea123 chelseafc cherry12 cherry123 chevrolet chevy123 chicago1 chicken1 chicken123 chocolat chocolate
chocolate1 chouchou chris123 christ123 christian christian1 christina christine christmas christmas1 christopher cisco123 claudia1 cocacola
cocacola1 colombia colorado columbia company1 company123 compaq123 computer computer1 computer12 computer123 concrete contrasena contrasena1
contraseña cookie12 cookie123 cookies1 cool1234 coolcool cooldude corvette corvette1 counterstrike cowboy12 cowboys1 cowboys22 crazy123
creative cristiano cristina crystal1 cs123456 cupcake1 cutegirl cutie123 cutiepie cutiepie1 d1234567 daisy123 dallas22 daniel12 daniel123
daniela1 danielle danielle1 darkknight darkness darkside darthvader database database1 david123 david1234 deadhead deadpool december
december1 december25 default1 default123 demo1234 demodemo denmark1 deutschland diamond1 diamonds digimon1 discover dmitriy1 doggy123
doglover dogs1234 dolphins dominic1 doudou123 dragon11 dragon12 dragon123 dragon1234 dragonball dragonfly dragons1 dropbox1 drowssap
drowssap1 dumbass1 eagles12 earthlink einstein ekaterina eldorado electric elephant elephant1 elizabeth elizabeth1 eminem12 eminem123
emmanuel england1 england123 enterprise espana123 estrella estrella1 eternity everton1 everyday excalibur explorer facebook facebook1
facebook123 familia1 family123 fantasia fantasy1 favorite fcbarcelona february fenerbahce fernanda fernando ferrari1 ferrari123 feyenoord
fireball firebird firefighter firefly1 fishing1 flamingo florida1 flower123 flowers1 football football1 football10 football12 football123
football7 forever1 forever123 forever21 foreverlove forgetit fortnite fortnite1 france123 francesco francisco frank123 frankfurt franklin
frankreich freedom1 freedom12 freedom123 friday123 friday13 friends1 friends123 friendship fuckfuck fuckoff1 fuckthis fuckyou! fuckyou1
fuckyou12 fuckyou123 fuckyou2 gabriel1 gabriel123 gabriela gabrielle galatasaray gamecube gameover gamer123 gaming123 gangsta1 gangster
geheim123 gemini123 genesis1 george12 george123 germany1 gfhjkm123 ginger12 ginger123 giovanni godbless godisgood godisgreat goldberg
goldfish golfer12 goodgirl goodluck goodluck1 goodmorning google123 gorgeous grandma1 grateful greenday greenday1 gregory1 guest123
guest1234 guestguest guitar12 guitar123 gunners1 hallo123 hallo1234 hallo12345 hallohallo halloween hamburg1 handsome hannah12 hannah123
happiness happy123 happy1234 happyday happyfeet hardware harley12 harley123 harleydavidson heather1 heaven123 hello123 hello123! hello1234
hello12345 hello2you hellohello hellokitty hellokitty1 helloworld hercules hermosa1 hiphop123 hockey12 hockey123 holyshit homework honey123
honeybear honeybee horses12 hotmail1 hotmail123 hotstuff houston1 hunter12 hunter123 hurricane iamgod12 iamthebest icecream ichliebedich
ilovegod iloveher ilovehim ilovejesus iloveme1 iloveme123 ilovemom iloveu123 iloveyou iloveyou! iloveyou1 iloveyou12 iloveyou123 iloveyou2
iloveyou3 iloveyou4ever iloveyou7 iloveyoubaby iloveyouso imawesome imissyou imthebest india123 india1234 indonesia infinity infinity1
inlove123 instagram internet internet1 internet123 inuyasha iphone123 ireland1 ironmaiden ironman1 ironman123 isabella isabella1 isabelle
istanbul italia123 j1234567 jackson1 jackson5 jamaica1 james007 james123 january1 jasmine1 jasmine12 jasmine123 jason123 jedimaster jeffrey1
jellybean jennifer jennifer1 jennifer12 jeremiah jessica1 jessica12 jessica123 jesus123 jesus777 jesuschrist jesusfreak jesusislord jetaime1
jetaime123 johndeere jonathan jonathan1 jonathon jordan01 jordan12 jordan123 jordan23 joseph12 joseph123 joshua12 joshua123 juliana1
justdoit justin12 justin123 juventus juventus1 k1234567 kangaroo katherine kathleen kawasaki killer12 killer123 killer666 kimberly kimberly1
kingdom1 kingkong kitten12 kitty123 kittycat knight12 kobe2408 krishna1 krishna123 kristina l1234567 ladybug1 lakers123 lakers24 lasvegas
lauren12 lauren123 laurence legend123 leonard1 leonardo letmein! letmein1 letmein12 letmein123 letmein2 letmeinnow lifehack lightning
linkedin linkedin1 linkinpark linkinpark1 linux123 lionking liverpool liverpool1 liverpool123 liverpoolfc lkjhgfdsa login123 login1234
loginlogin logmein1 lol12345 lollipop lollipop1 lollol12 lollol123 london12 london123 longhorn longhorns looking1 lorenzo1 loulou123
love1234 love12345 love123456 lovebug1 loveforever loveless lovelove lovely12 lovely123 loveme12 loveme123 lover123 lovers12 loveyou1
loveyou123 loveyou2 lucky123 lucky1234 lucky777 luckydog m1234567 m12345678 macintosh madison1 madison12 madison123 maggie12 magic123
magnolia malaysia manager1 manager123 manchester manchester1 manunited manutd123 margaret marie123 marina123 mario123 mariposa marlboro
marseille marseille13 marshall martin123 maryjane master11 master12 master123 master1234 masterkey masterpass masters1 matthew1 matthew12
matthew123 maverick maverick1 maximilian maxwell1 mcdonald melbourne melissa1 melissa12 melissa123 mercedes mercedes1 messi123 metallica
metallica1 mexico123 michael1 michael12 michael123 michaela michelle michelle1 michigan mickeymouse microsoft midnight midnight1 miguel123
military million1 millionaire minecraft minecraft1 minecraft123 minnie12 mississippi mistress mnbvcxz1 mnbvcxza mommy123 monday123 monica123
monique1 monkey11 monkey12 monkey123 monkey1234 monkeys1 moonlight moscow123 motdepasse mother12 mother123 motherlode motocross motorola
mountain mountain1 music123 musiclover mustang1 mustang123 mustang65 myfamily mylove12 mylove123 mypass123 mypassword mypassword1 mysecret
myspace1 myspace123 naruto12 naruto123 nascar24 nascar88 natalia1 natalie1 natalie123 natasha1 nathan12 nathan123 newcastle newpass1
newpassword newyork1 newyork123 nhfnfnf1 nicholas nicholas1 nicolas1 nicole12 nicole123 nightmare nihao123 nikita123 nintendo nintendo64
nirvana1 nirvana123 nissan123 nokia123 nopassword norway123 notebook nothing1 november november1 november11 number12 october1 october10
office123 olivia12 olivia123 operator oracle123 ou812345 p4ssw0rd p4ssword p@ssw0rd p@ssw0rd1 p@ssw0rd123 p@ssword p@ssword1 pa$$w0rd
pa$$word pa55w0rd pa55word packers1 pakistan pakistan1 pakistan123 panasonic panther1 panthers paradise paradise1 paradox1 paris123 parol123
parola123 pass1234 pass12345 pass123456 pass1word pass@123 pass@1234 passpass passpass1 passphrase passw0rd passw0rd! passw0rd1 passw0rd123
passwd123 password password! password. password00 password01 password1 password1! password11 password12 password123 password123!
password1234 password12345 password2 password3 password4 password5 password69 password7 password8 password9 password99 passwords passwort
passwort1 passwort123 passwort1234 patricia patricia1 patrick1 patrick123 patriots pauline1 peaches1 peanut12 peanut123 penguin1 penguin123
pepper12 pepper123 philippines phillip1 phoenix1 phoenix123 photoshop photoshop1 pikachu1 pikachu123 pineapple platinum playboy1 playboy123
player12 player123 playstation playstation2 playstation3 please123 poiuytre poiuytrewq pokemon1 pokemon12 pokemon123 polska12 polska123
popcorn1 popeye123 porsche1 porsche911 portugal portugal1 precious precious1 presario president preston1 pretty12 prince123 princesa
princesa1 princess princess1 princess12 princess123 private1 pumpkin1 puppy123 puppylove purple12 purple123 q12345678 q123456789 q1q1q1q1
q1q2q3q4 q1w2e3r4 q1w2e3r4! q1w2e3r4t5 q1w2e3r4t5y6 qazqazqaz qazwsx12 qazwsx123 qazwsxedc qazwsxedc123 qazwsxedcrfv qazxcvbn qazxswedc
qq123456 qq12345678 qqq11111 qqqq1111 qqww1122 qwe12345 qwe123456 qwe123qwe qweasd12 qweasd123 qweasdzxc qweasdzxc123 qweqwe123 qweqweqwe
qwer1234 qwer4321 qwert123 qwert1234 qwert12345 qwerty01 qwerty1! qwerty11 qwerty12 qwerty123 qwerty123! qwerty1234 qwerty12345 qwerty123456
qwerty22 qwerty77 qwerty78 qwerty99 qwertyqwerty qwertyu1 qwertyu8 qwertyui qwertyuio qwertyuiop qwertyuiop1 qwertyuiop123 qwertyuiop[]
qwertz123 qwertzui qwertzuiop rabbit123 rachel12 rachel123 raiders1 raiders12 rainbow1 rainbow12 rainbow123 rangers1 rasta220 realmadrid
realmadrid1 rebecca1 rebecca123 reddragon redskins redsox04 remember response ricardo1 richard1 richard123 riverside rjntyjr1 robert12
robert123 roberto1 roblox123 rockandroll rocknroll rockstar rockstar1 rocky123 rodrigo1 romania1 ronaldo07 ronaldo123 ronaldo7 root1234
root12345 rootpass rootroot rosebud1 rosemary runescape runescape1 russell1 russia123 s1234567 sagittarius sailormoon samantha samantha1
samantha123 samsung1 samsung12 samsung123 samuel123 sandiego sandra123 santiago scarface schalke04 schatz12 schatz123 school12 school123
scooter1 scorpio1 scorpion scorpion1 scorpion12 scotland scotland1 sebastian sebastian1 secret12 secret123 secret1234 secretpass secure123
security security1 september sergey123 server123 service1 service123 shadow11 shadow12 shadow123 shadow1234 shadows1 shannon1 shithead
shopping silver12 silver123 simpsons singapore skittles skywalker slayer666 slipknot slipknot1 slipknot666 smile123 smokey12 smokey123
snickers snickers1 sniper123 snoopy123 snowball snowboard snowman1 soccer10 soccer12 soccer123 softball softball1 softball12 software
soleil123 something something1 sommer12 sommer123 sonic123 sophie123 southpark sparky123 spartan1 spartan117 special1 spencer1 spiderman
spiderman1 spiderman123 spitfire spongebob spongebob1 sporting spring12 spring123 spring2020 spring2021 spring2022 spring2023 spring2024
spring2025 spring2026 squirrel stalker1 stanley1 starcraft starfish stargate starlight startrek startrek1 starwars starwars1 starwars123
steelers steelers1 stephanie stephanie1 stephen1 stephen12 steven12 steven123 stingray stranger strawberry student1 student123 stupid12
stupid123 sugar123 summer12 summer123 summer2020 summer2021 summer2022 summer2023 summer2024 summer2025 summer2026 summer99 summertime
sunday123 sunflower sunflower1 sunshine sunshine1 sunshine12 sunshine123 superman superman1 superman12 superman123 supermario supernatural
supernova superstar superstar1 superuser supervisor support1 support123 surfer123 survivor sverige1 svetlana sweet123 sweet16! sweetheart
sweetie1 sweetie12 sweetness sweetpea swimming swordfish sydney12 sysadmin system123 taylor12 taylor123 teacher1 teacher123 teamo123
teamomucho techno123 teddybear teddybear1 temp1234 temporary temppass tennessee tennis123 tequiero tequiero1 teresa123 terminator test1234
test1234! test12345 test123456 tester12 tester123 testing1 testing123 testpass testtest testtest1 texas123 thankyou thankyou1 thebeatles
thegreat theodore thepassword thomas12 thomas123 thumper1 thunder1 thunder123 thunderbird tiffany1 tiger123 tigers12 tigger12 tigger123
timothy1 tinkerbell tinkerbell1 tomorrow toor1234 topsecret toshiba1 tottenham travel123 treasure treasure1 trinity1 triumph1 trouble1
truelove trustno1 trustnoone tunafish turkiye1 turtle12 turtle123 tweety12 twitter1 tyler123 ubuntu123 ukraine1 unicorn1 unicorn123
universal universe university user1234 user12345 username username1 useruser vacation valentin valentina valentine valeria1 vampire1
vampires vanessa1 vanessa123 vanilla1 veronica veronica1 victor123 victoria victoria1 victoria123 vincent1 vincent123 violet123 virginia
vladimir vladimir1 volcom12 volkswagen volleyball volleyball1 voyager1 w1234567 wang1234 wanker12 warcraft warrior1 warrior123 warriors
washington waterfall welcome! welcome01 welcome1 welcome1! welcome12 welcome123 welcome1234 welcome2 welcome2020 welcome2021 welcome2022
welcome2023 welcome2024 welcome2025 welcome2026 welcome@123 westside westside1 whatever whatever1 whatever123 whiteboy whocares wildcat1
wildcats william1 william12 william123 williams windows1 windows10 windows123 windows7 windsurf winner12 winner123 winston1 winter12
winter123 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 winter2026 wizard123 woaini123 woaini1314 woaini520 wolverine
wonderful woodland wordpass wq123456 wrestling wrestling1 ww123456 xavier123 xbox3600 xx123456 yamaha123 yankees1 yankees2 yesterday
youandme yourmom1 yourpassword youtube1 youtube123 ytrewq123 z12345678 z123456789 z1x2c3v4 z1x2c3v4b5 zachary1 zaq!2wsx zaq12wsx zaq1xsw2
zaq1zaq1 zaqwsxcde zelda123 zeppelin zhang123 zx123456 zxc123456 zxcasdqwe zxcasdqwe123 zxcv1234 zxcvbnm, zxcvbnm,. zxcvbnm,./ zxcvbnm1
zxcvbnm123 zxcvbnma zxcvbnmasdfghjkl zxczxczxc zz123456
`
    .trim()
    .split(/\s+/),
)
