"""Words by which things that are asked for are told from what is said about them."""

import re

JOINING = frozenset(", · / & + 및 그리고 또는".split())

ACTIONS = frozenset(
    "관리 등록 조회 예약 신청 접수 추적 기록 점검 발주 주문 결제 정산 배정 배차 예매 대여 반납 상담 견적 판매 구매 "
    "이력 현황 통계 알림 공지 신고 평가 검사 승인 결재 검색 고지 납부 청구 발급 모집 매칭 중개 안내 입력 출력 수정 "
    "삭제 처리 확인 공유 기능 입고 출고 집계 일정 내역 목록 계산 배달 배송".split()
)
"""What is done with a thing, said right after it: `재고 관리`."""

GENERIC = frozenset(
    "시스템 데이터 정보 내용 기능 화면 업무 서비스 회사 우리 사람 사용자 통계 목록 내역 이력 현황 자료 부분 전체 모두 "
    "각종 여러 온라인 오프라인 모바일 인터넷 비밀번호 평문 권한 보고서 어플 앱 웹 사이트 홈페이지 프로그램 "
    "플랫폼 솔루션 관리 운영 이것 그것 저것 무엇 하나 전부 필요 간단 기본 신규 나중 지금 매일 매달 매주 매년 한눈 손쉽 "
    "자동 방식 형태 이름 시간 날짜 경우 때문 정도 위주 중심 기반 전용 모델 도구 툴 디비 데이터베이스 테이블 스키마 "
    "설계 개발 그래 아마 적어 혹시라 그것만이라 지금이라 누구라 아직 또한".split()
)

PLACES = re.compile(
    r"(?:병원|의원|약국|학원|학교|대학|대학교|유치원|어린이집|도서관|서점|카페|식당|음식점|레스토랑|호텔|모텔|펜션|헬스장|체육관|미용실|"
    r"공장|창고|아파트|빌라|회관|센터|매장|가게|상점|쇼핑몰|마트|편의점|은행|극장|영화관|공연장|박물관|미술관|캠핑장|주차장|농장|목장|"
    r"양봉장|세차장|정비소|꽃집|빵집|옷집|맛집|찻집|술집|분식집|고깃집|피자집|치킨집|독서실|노래방|피시방|당구장|볼링장|수영장|골프장|요양원|복지관|주유소|정육점|문구점|안경점|백화점|구청|시청|보건소|세탁소|관리소|사무실|동호회|동아리|교회|성당|기업|기관|부동산|택시|택배|공방|스튜디오)$"
)
"""Where something is done, said before it: `병원 예약`."""

AUDIENCE = frozenset("위한 위해 위해서 위하여 대상으로 상대로 쓰는 사용하는 이용하는".split())

BUILD = re.compile(r"(?:만들|개발|구축|제작|구현|설계|짜|디자인|부탁|원해|원합|필요)")

VERB_ENDING = re.compile(
    r"(?:하는|하고|하면|하며|해야|해서|하여|하게|하기|하자|할|한|한다|합니다|해줘|해주|해요|하고싶|되는|되고|되면|되어야|돼야|"
    r"되게|됩니다|된다|있는|있게|있어야|있도록|싶어|싶다|싶습니다|싶은데|싶어요|줘|주세요|주는|위한|위해|같은|통해|대한|관한|"
    r"만들어|만들자|쓰는|쓸|보는|볼|받는|받을|받고|보고|보여|보내는|내는|낼|사는|파는|찾는|찾을|찾고|나누는|올리는|올리고|적는|"
    r"맡기는|빌리는|빌려|빌리고|정하는|고르는|주고받|필요해|필요합니다|필요해요|좋겠어|좋겠다|관리해|되도록|하도록)$"
)

ENGLISH_VERBS = frozenset(
    "manage manages managing track tracks tracking record records recording store stores storing handle handles "
    "handling register registers registering schedule schedules scheduling organize organizes organise organises "
    "monitor monitors book books sell sells rent rents rates see sees search searches filter filters keep keeps "
    "keeping maintain maintains order orders assign assigns review reviews approve approves post posts send sends "
    "pay pays submit submits view views create creates check checks".split()
) - frozenset("books orders records rents posts reviews stores schedules rates".split())

ENGLISH_MANAGING = frozenset("management tracker tracking booking registration reservation ordering scheduling".split())

ENGLISH_GENERIC = frozenset(
    "system systems application applications app apps website websites site sites web platform platforms service "
    "services software tool tools program programs project database databases data information info record records "
    "collection collections list lists thing things stuff feature features user users people person company "
    "companies business businesses team teams organization organisation way ways page pages online mobile simple "
    "small large big new basic full whole own own specifically support management manager resource resources "
    "approval search login reporting check "
    "everything all their them it its relationship relationships human table tables_ time day month process".split()
)

ENGLISH_PLACES = frozenset(
    "restaurant hotel clinic hospital school university college academy library gym shop store cafe salon factory "
    "office bank theater theatre cinema museum farm garage bakery warehouse pharmacy church apiary studio mall "
    "supermarket apartment building city town".split()
)

ENGLISH_LIST_ENDS = frozenset(
    "for to by from in on at so that which who where when using via per into of with as is are".split()
)
ENGLISH_SKIPPED = frozenset(
    "a an the their its our my your his her some any all each every many several various different other own "
    "also both new small large simple basic multiple".split()
)
