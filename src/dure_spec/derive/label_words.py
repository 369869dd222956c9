"""Korean for the words that name columns of business systems; `labels.py` composes them."""

_WHOLE = """
created_at=등록일시 updated_at=수정일시 deleted_at=삭제일시 created_by=등록자 updated_by=수정자 changed_by=변경자
created_by_id=등록자ID updated_by_id=수정자ID changed_by_id=변경자ID approved_by_id=승인자ID created_on=등록일
registered_at=등록일시 ordered_at=주문일시 paid_at=결제일시 shipped_at=출고일시 delivered_at=배송완료일시
received_at=입고일시 cancelled_at=취소일시 canceled_at=취소일시 approved_at=승인일시 rejected_at=반려일시
completed_at=완료일시 closed_at=종료일시 started_at=시작일시 ended_at=종료일시 requested_at=요청일시
submitted_at=제출일시 published_at=게시일시 sent_at=발송일시 changed_at=변경일시 visited_at=방문일시
returned_at=반납일시 borrowed_at=대출일시 joined_at=가입일시 issued_at=발급일시 scheduled_at=예정일시
reserved_at=예약일시 checked_at=확인일시 expires_at=만료일시 expired_at=만료일시 due_at=마감일시
locked_until=잠금해제시각 last_login_at=최근로그인일시 logged_at=기록일시 recorded_at=기록일시 achieved_at=달성일시
played_at=플레이일시 start_at=시작일시 end_at=종료일시 start_time=시작시각 end_time=종료시각 start_date=시작일
end_date=종료일 due_date=마감일 birth_date=생년월일 date_of_birth=생년월일 birthday=생일 hire_date=입사일
hired_on=입사일 issue_date=발급일 expiry_date=만료일 order_date=주문일 payment_date=결제일 delivery_date=배송일
return_date=반납일 borrow_date=대출일 loan_date=대출일 is_active=사용여부 is_deleted=삭제여부 is_done=완료여부
is_completed=완료여부 is_paid=결제여부 is_public=공개여부 is_read=읽음여부 is_default=기본여부
is_available=이용가능여부 is_approved=승인여부 is_urgent=긴급여부 is_main=대표여부 is_returned=반납여부
total_amount=총액 total_price=총액 unit_price=단가 sale_price=판매가 list_price=정가 cost_price=원가
stock_qty=재고수량 stock_quantity=재고수량 min_stock=최소재고 max_stock=최대재고 safety_stock=안전재고
reorder_point=재주문점 sub_total=소계 order_no=주문번호 order_number=주문번호 tracking_no=운송장번호
tracking_number=운송장번호 business_no=사업자등록번호 business_number=사업자등록번호 phone_number=전화번호
mobile_phone=휴대전화번호 contact_number=연락처 postal_code=우편번호 zip_code=우편번호 email_address=이메일
password_hash=비밀번호해시 user_name=사용자명 login_id=로그인ID full_name=이름 first_name=이름 last_name=성
nick_name=별명 display_name=표시명 payment_method=결제수단 room_number=호실번호 room_no=호실번호
serial_number=일련번호 serial_no=일련번호 account_number=계좌번호 bank_name=은행명 card_number=카드번호
license_number=면허번호 from_status=이전상태 to_status=변경상태 parent_id=상위ID sort_order=정렬순서
display_order=표시순서 failed_count=연속실패수 read_count=조회수 view_count=조회수 file_name=파일명
file_path=파일경로 file_size=파일크기 file_url=파일주소 image_url=이미지주소 resident_number=주민등록번호
emergency_contact=비상연락처 tax_rate=세율 discount_rate=할인율 interest_rate=이율 best_score=최고점수
"""
_WORDS = """
name=이름 title=제목 subject=제목 content=내용 contents=내용 body=본문 description=설명 summary=요약 note=비고
notes=비고 memo=메모 remark=비고 remarks=비고 comment=의견 message=메시지 text=내용 detail=상세 details=상세
reason=사유 result=결과 opinion=의견 phone=전화번호 mobile=휴대전화 tel=전화번호 fax=팩스번호 contact=연락처
email=이메일 address=주소 city=도시 region=지역 country=국가 state=상태 street=도로명 zip=우편번호 location=위치
latitude=위도 longitude=경도 place=장소 floor=층 room=방 building=건물 site=현장 status=상태 type=유형 kind=종류
category=분류 class=등급 grade=등급 level=수준 role=역할 priority=우선순위 rank=순위 code=코드 no=번호 number=번호
sequence=순번 seq=순번 order=순서 position=위치 index=순번 version=버전 key=키 value=값 tag=태그 label=이름표
quantity=수량 qty=수량 count=수 amount=금액 price=가격 cost=비용 fee=수수료 total=합계 subtotal=소계 sum=합계
balance=잔액 discount=할인 tax=세금 rate=비율 ratio=비율 percent=비율 currency=통화 salary=급여 wage=임금 bonus=상여
budget=예산 deposit=보증금 point=포인트 points=포인트 score=점수 rating=평점 weight=무게 height=높이 width=너비
length=길이 size=크기 volume=부피 capacity=정원 unit=단위 color=색상 model=모델 brand=브랜드 maker=제조사
manufacturer=제조사 material=재질 spec=규격 sku=상품코드 barcode=바코드 isbn=ISBN url=주소 link=링크 path=경로
file=파일 image=이미지 photo=사진 icon=아이콘 attachment=첨부파일 language=언어 lang=언어 date=일자 time=시각
year=연도 month=월 day=일 week=주 hour=시간 minute=분 duration=소요시간 period=기간 start=시작 end=종료 begin=시작
finish=종료 due=마감 deadline=마감 expiry=만료 schedule=일정 slot=시간대 shift=근무조 term=기간 semester=학기
birth=출생 gender=성별 sex=성별 age=나이 nationality=국적 job=직업 department=부서 team=팀 company=회사 branch=지점
organization=조직 first=첫 last=최근 next=다음 previous=이전 old=이전 new=신규 current=현재 min=최소 max=최대
average=평균 avg=평균 best=최고 base=기준 actual=실제 planned=계획 expected=예상 estimated=예상 original=원래
final=최종 main=대표 sub=하위 parent=상위 child=하위 user=사용자 member=회원 customer=고객 client=고객 employee=직원
staff=직원 manager=관리자 admin=관리자 owner=소유자 author=저자 writer=작성자 sender=발신자 receiver=수신자
recipient=수령인 approver=승인자 requester=요청자 assignee=담당자 teacher=강사 tutor=강사 student=학생 patient=환자
doctor=의사 nurse=간호사 driver=기사 guest=손님 visitor=방문자 seller=판매자 buyer=구매자 supplier=공급처
vendor=거래처 partner=협력사 publisher=출판사 player=플레이어 guardian=보호자 host=주최자 person=사람 group=그룹
product=상품 item=항목 goods=상품 book=도서 menu=메뉴 service=서비스 course=강좌 lesson=수업 subject_name=과목명
project=프로젝트 task=할일 todo=할일 issue=이슈 ticket=티켓 event=행사 meeting=회의 notice=공지 post=게시글
board=게시판 review=후기 question=질문 answer=답변 survey=설문 exam=시험 score_value=점수 vehicle=차량 car=차량
equipment=장비 asset=자산 device=기기 seat=좌석 table=테이블 purchase=구매 sale=판매 sales=판매 payment=결제
invoice=청구서 bill=청구서 refund=환불 return=반품 delivery=배송 shipment=배송 shipping=배송 transport=운송
carrier=운송사 warehouse=창고 stock=재고 inventory=재고 store=매장 shop=매장 cart=장바구니 coupon=쿠폰 contract=계약
account=계정 bank=은행 card=카드 transaction=거래 request=요청 application=신청 approval=승인 reservation=예약
booking=예약 appointment=예약 visit=방문 treatment=진료 diagnosis=진단 prescription=처방 symptom=증상 symptoms=증상
attendance=출결 enrollment=수강 loan=대출 rental=대여 subscription=구독 membership=회원권 license=면허
certificate=증명서 document=문서 report=보고서 log=기록 history=이력 change=변경 action=조치 error=오류
notification=알림 alarm=알림 setting=설정 option=선택사항 method=방법 mode=방식 channel=경로 source=출처 target=대상
purpose=목적 goal=목표 progress=진행률 step=단계 stage=단계 plan=계획 login=로그인 password=비밀번호 token=토큰
session=세션 permission=권한 nickname=별명 username=사용자명 introduction=소개 bio=소개 difficulty=난이도 move=이동
moves=이동수 game=게임 round=라운드 tile=타일 win=승리 turn=차례 question_count=문항수 registration=등록
registered=등록 created=등록 updated=수정 deleted=삭제 modified=수정 approved=승인 rejected=반려 completed=완료
cancelled=취소 canceled=취소 closed=종료 started=시작 ended=종료 requested=요청 submitted=제출 published=게시
sent=발송 paid=결제 shipped=출고 delivered=배송완료 received=수령 ordered=주문 returned=반납 borrowed=대출
joined=가입 issued=발급 scheduled=예정 reserved=예약 checked=확인 changed=변경 recorded=기록 expired=만료 used=사용
active=활성 done=완료 public=공개 read=읽음 visible=표시 available=이용가능 urgent=긴급 default=기본 enabled=사용
locked=잠금 failed=실패 verified=인증 required=필수 business=사업자 billing=청구 home=자택 work=근무 emergency=비상
resident=주민 personal=개인 tracking=운송장 serial=일련 display=표시 sort=정렬 medical=진료 record=기록
hospital=병원 clinic=병원 insurance=보험 blood=혈액 check=확인 in=입 out=출 cancel=취소 hire=입사
"""


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in text.split())


WHOLE = _pairs(_WHOLE)
"""Compounds whose Korean is not the sum of their words."""
WORDS = _pairs(_WORDS)
"""Single words."""
