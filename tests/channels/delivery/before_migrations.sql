BEGIN TRANSACTION;
CREATE TABLE channel_calls (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	channel VARCHAR(20) NOT NULL, 
	sender VARCHAR(100) NOT NULL, 
	said_id INTEGER NOT NULL, 
	author VARCHAR(10) NOT NULL, 
	call TEXT NOT NULL, 
	state VARCHAR(10) NOT NULL, 
	tries INTEGER NOT NULL, 
	not_before FLOAT NOT NULL, 
	why TEXT NOT NULL, 
	at FLOAT NOT NULL
);
CREATE TABLE channel_hand_overs (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	channel VARCHAR(20) NOT NULL, 
	sender VARCHAR(100) NOT NULL, 
	status VARCHAR(10) NOT NULL, 
	quiet BOOLEAN NOT NULL, 
	noted BOOLEAN NOT NULL, 
	topic TEXT NOT NULL, 
	office TEXT NOT NULL, 
	question TEXT NOT NULL, 
	hours TEXT NOT NULL, 
	opened_at FLOAT NOT NULL, 
	expected_at FLOAT, 
	taken_by TEXT NOT NULL, 
	taken_at FLOAT, 
	closed_by TEXT NOT NULL, 
	closed_at FLOAT, 
	last_at FLOAT NOT NULL
);
CREATE TABLE channel_options (
	id VARCHAR(24) NOT NULL, 
	channel VARCHAR(20) NOT NULL, 
	sender VARCHAR(100) NOT NULL, 
	said_id INTEGER NOT NULL, 
	title TEXT NOT NULL, 
	payload TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
CREATE TABLE channel_ratings (
	said_id INTEGER NOT NULL, 
	channel VARCHAR(20) NOT NULL, 
	sender VARCHAR(100) NOT NULL, 
	answer_id TEXT NOT NULL, 
	good BOOLEAN NOT NULL, 
	reason TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (said_id)
);
CREATE TABLE channel_said (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	channel VARCHAR(20) NOT NULL, 
	sender VARCHAR(100) NOT NULL, 
	turn_id INTEGER, 
	author VARCHAR(10) NOT NULL, 
	message TEXT NOT NULL, 
	at FLOAT NOT NULL
);
INSERT INTO "channel_said" VALUES(1,'web','an',NULL,'student','{"id": 0, "at": 1795374598.0, "author": "student", "by": "", "text": "h\u1ecdc ph\u00ed?", "options": [], "thumbs": null, "citations": [], "cards": [], "facts": {"event_id": "event-1"}}',1795374598.0);
CREATE TABLE channel_seen (
	channel VARCHAR(20) NOT NULL, 
	event_id VARCHAR(200) NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (channel, event_id)
);
INSERT INTO "channel_seen" VALUES('web','event-1',1795374598.0);
CREATE TABLE channel_senders (
	channel VARCHAR(20) NOT NULL, 
	sender VARCHAR(100) NOT NULL, 
	address TEXT NOT NULL, 
	heard_at FLOAT NOT NULL, 
	warned_at FLOAT NOT NULL, 
	held_by VARCHAR(80), 
	held_until FLOAT NOT NULL, 
	PRIMARY KEY (channel, sender)
);
INSERT INTO "channel_senders" VALUES('web','an','{"language": "vi"}',1795374598.0,0.0,NULL,0.0);
CREATE TABLE channel_turns (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	channel VARCHAR(20) NOT NULL, 
	sender VARCHAR(100) NOT NULL, 
	content TEXT NOT NULL, 
	said_id INTEGER, 
	at FLOAT NOT NULL, 
	done_at FLOAT
);
INSERT INTO "channel_turns" VALUES(1,'web','an','{"kind": "typed", "text": "h\u1ecdc ph\u00ed?"}',1,1795374598.0,NULL);
CREATE INDEX ix_channel_seen_at ON channel_seen (at);
CREATE INDEX ix_channel_turns ON channel_turns (channel, sender, id);
CREATE INDEX ix_channel_turns_open ON channel_turns (done_at);
CREATE INDEX ix_channel_said ON channel_said (channel, sender, id);
CREATE INDEX ix_channel_calls_state ON channel_calls (state);
CREATE INDEX ix_channel_calls ON channel_calls (channel, sender, id);
CREATE INDEX ix_channel_options_at ON channel_options (at);
CREATE INDEX ix_channel_options ON channel_options (channel, sender);
CREATE INDEX ix_channel_ratings ON channel_ratings (channel, sender);
CREATE INDEX ix_channel_hand_overs_status ON channel_hand_overs (status);
CREATE INDEX ix_channel_hand_overs ON channel_hand_overs (channel, sender, id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('channel_said',1);
INSERT INTO "sqlite_sequence" VALUES('channel_turns',1);
COMMIT;
